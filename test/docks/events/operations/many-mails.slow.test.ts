import { expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { addWebhook } from '../../../../src/docks/events/operations/add-webhook'
import { deliverWebhooks } from '../../../../src/docks/events/operations/deliver-webhooks'
import { listWebhooks } from '../../../../src/docks/events/operations/list-webhooks'
import { HOUR_MS } from '../../../../src/kernel/time'
import { startMailServer } from '../../../mail/mail-server'
import { load, NOW, officeWith } from '../../dock-fixtures'

const APPOINTMENTS = 625
const TITLES = ['Booked', 'Changed', 'Moved', 'Cancelled']
/** Refuses one mail in four, for now, in an order that does not repeat. */
const createRefusals = () => {
  let state = 1204
  const refusedInARow = new Map<string, number>()
  return ([to = '']: readonly string[]) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    const refused = refusedInARow.get(to) ?? 0
    // A mail that was refused ten times would be given up.
    const isRefused = refused < 8 && Math.floor(state / 65_536) % 4 === 0
    refusedInARow.set(to, isRefused ? refused + 1 : 0)
    return isRefused ? 451 : null
  }
}

it('5,000 mails over a mail server that fails reach the right contacts, each once, in order per appointment', async () => {
  const server = await startMailServer(createRefusals())
  const doors = Array.from({ length: 20 }, (_, n) => ({ name: `Door ${n + 1}` }))
  const office = await officeWith({ doors, minMinutes: 15, slotMinutes: 15 })
  const mail = { url: server.url(), from: 'docks@north.example' }
  const ctx = { ...office.ctx, webhooks: { allowedNetworks: [] }, findPublicUrl: () => null, mail }
  await office.run(addWebhook as any, { url: 'contacts' }, ctx as never)
  for (let n = 0; n < APPOINTMENTS; n++) {
    const contactEmails = [`dispatch-${n}@blue.example`, `driver-${n}@blue.example`]
    const request = load({ referenceNumber: `PO-${n}`, contactEmails, durationMinutes: 15 })
    const { id } = (await office.run(bookAppointment, request)).data
    await office.run(updateAppointment, { id, loadDescription: 'Paper' })
    await office.run(rescheduleAppointment, { id, targetDate: '2026-11-18' })
    await office.run(cancelAppointment, { id })
  }
  let now = NOW
  // A pass may send nothing, because what failed often waits for longer than the time between two passes.
  while ((await office.run(listWebhooks, {}))[0]!.pending > 0) {
    const report = (await office.run(deliverWebhooks as any, {}, ctx as never)) as any
    expect(report.dead).toBe(0)
    now += 6 * HOUR_MS
    office.at(new Date(now).toISOString())
  }
  const titles = new Map<string, string[]>()
  for (const { to, subject } of server.received) {
    const [, title, number] = /^(\w+): PO-(\d+),/.exec(subject)!
    expect([`dispatch-${number}@blue.example`, `driver-${number}@blue.example`]).toContain(to[0])
    expect(to).toHaveLength(1)
    titles.set(to[0]!, [...(titles.get(to[0]!) ?? []), title!])
  }
  expect(titles.size).toBe(2 * APPOINTMENTS)
  expect([...titles.values()].filter((each) => each.join() !== TITLES.join())).toEqual([])
})
