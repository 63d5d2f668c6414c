import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../src/docks/booking/operations/cancel-appointment'
import { getAppointment } from '../../../src/docks/booking/operations/get-appointment'
import { rescheduleAppointment } from '../../../src/docks/booking/operations/reschedule-appointment'
import { showHistory } from '../../../src/docks/booking/operations/show-history'
import { updateAppointment } from '../../../src/docks/booking/operations/update-appointment'
import { addWebhook } from '../../../src/docks/events/operations/add-webhook'
import { deliverWebhooks } from '../../../src/docks/events/operations/deliver-webhooks'
import { listEvents } from '../../../src/docks/events/operations/list-events'
import { updateFacility } from '../../../src/docks/facilities/operations/update-facility'
import { remindOfAppointments } from '../../../src/docks/reminders/operations/remind'
import { reportFacility } from '../../../src/docks/reports/operations/report-facility'
import { checkInAppointment } from '../../../src/docks/visits/operations/check-in-appointment'
import { startMailServer } from '../../mail/mail-server'
import { type DockOffice, load, officeWith } from '../dock-fixtures'

/** Three days after the office opens. */
const THURSDAY = '2026-11-19'
/** 23 hours and a half before 06:00 there. */
const DAY_BEFORE = '2026-11-18T12:30:00Z'

const officeThatReminds = (more: object = {}) => officeWith({ reminderHours: 24, minMinutes: 15, ...more })
const book = async (office: DockOffice, referenceNumber: string, changes: object = {}) =>
  (await office.run(bookAppointment, load({ referenceNumber, targetDate: THURSDAY, startTime: '06:00', ...changes })))
    .data
const remind = async (office: DockOffice) => (await office.run(remindOfAppointments, {})).reminders

describe('a facility with reminders', () => {
  it('reminds of an appointment once, when its hours before the start begin', async () => {
    const office = await officeThatReminds()
    const { id } = await book(office, 'PO-1')
    expect(await remind(office)).toBe(0)
    office.at(DAY_BEFORE)
    expect([await remind(office), await remind(office)]).toEqual([1, 0])
    const history = await office.run(showHistory, { id })
    expect(history.map(({ kind }) => kind)).toEqual(['booked', 'reminded'])
  })

  it('reminds of it once if several look at the same time', async () => {
    const office = await officeThatReminds()
    await book(office, 'PO-1')
    office.at(DAY_BEFORE)
    const made = await Promise.all(Array.from({ length: 8 }, () => remind(office)))
    expect(made.sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
  })

  it('lets other changes in between while it reminds of many', async () => {
    const doors = Array.from({ length: 10 }, (_, i) => ({ name: `Door ${i}` }))
    const office = await officeThatReminds({ doors })
    const slots = Array.from({ length: 25 }, (_, i) => `${6 + Math.floor(i / 4)}:${(i % 4) * 15}`)
    const starts = slots.map((time) => time.split(':').map((part) => part.padStart(2, '0')))
    for (const [hour, minute] of starts.slice(0, 23))
      for (const { name } of doors)
        await book(office, `${name} ${hour}:${minute}`, {
          startTime: `${hour}:${minute}`,
          doorId: name,
          durationMinutes: 15,
        })
    const { id } = await book(office, 'OTHER', { targetDate: '2026-11-24' })
    office.at('2026-11-19T11:59:00Z')
    let isReminding = true
    const reminding = remind(office).finally(() => {
      isReminding = false
    })
    for (let pallets = 1; isReminding; pallets += 1) await office.run(updateAppointment, { id, palletCount: pallets })
    expect(await reminding).toBe(230)
    const { events } = await office.run(listEvents, { since: 231, limit: 1000 })
    const kinds = events.map(({ event }) => event.slice('appointment.'.length))
    const [first, last] = [kinds.indexOf('reminded'), kinds.lastIndexOf('reminded')]
    expect(kinds.slice(first, last)).toContain('updated')
  })

  it('does not remind of what was booked or moved within the hours, was cancelled, has a truck or is over', async () => {
    const office = await officeThatReminds()
    const [cancelled, arrived, moved] = [
      await book(office, 'CANCELLED'),
      await book(office, 'ARRIVED', { startTime: '07:00' }),
      await book(office, 'MOVED', { startTime: '08:00' }),
    ]
    await office.run(cancelAppointment, { id: cancelled.id })
    office.at('2026-11-18T14:30:00Z')
    await office.run(checkInAppointment, { id: arrived.id, early: true })
    await office.run(rescheduleAppointment, { id: moved.id, targetDate: THURSDAY, startTime: '08:15' })
    await book(office, 'LATE', { startTime: '09:00' })
    await book(office, 'NEXT', { targetDate: '2026-11-20', startTime: '06:00' })
    expect(await remind(office)).toBe(0)
    office.at('2026-11-20T13:00:00Z')
    expect(await remind(office)).toBe(0)
  })

  it('reminds again of an appointment that was moved to a later date', async () => {
    const office = await officeThatReminds()
    const { id } = await book(office, 'PO-1')
    office.at(DAY_BEFORE)
    expect(await remind(office)).toBe(1)
    await office.run(rescheduleAppointment, { id, targetDate: '2026-11-24', startTime: '06:00' })
    expect(await remind(office)).toBe(0)
    office.at('2026-11-23T12:30:00Z')
    expect(await remind(office)).toBe(1)
  })

  it('reminds of nothing while it has no such hours', async () => {
    const office = await officeThatReminds()
    await book(office, 'PO-1')
    await office.run(updateFacility, { id: 'DC1', reminderHours: null })
    office.at(DAY_BEFORE)
    expect(await remind(office)).toBe(0)
    await office.run(updateFacility, { id: 'DC1', reminderHours: 2 })
    expect(await remind(office)).toBe(0)
    office.at('2026-11-19T10:00:00Z')
    expect(await remind(office)).toBe(1)
  })

  it('does not change the figures of its report', async () => {
    const office = await officeThatReminds()
    await book(office, 'PO-1')
    office.at(DAY_BEFORE)
    const report = () => office.run(reportFacility, { id: 'DC1', startDate: THURSDAY, endDate: THURSDAY })
    const before = await report()
    expect(await remind(office)).toBe(1)
    expect(await report()).toEqual(before)
  })

  it('leaves the appointment and the events before it as they were', async () => {
    const office = await officeThatReminds()
    const { id } = await book(office, 'PO-1')
    await office.run(updateAppointment, { id, loadDescription: 'Paper' })
    const before = await office.run(getAppointment, { id })
    office.at(DAY_BEFORE)
    await remind(office)
    expect(await office.run(getAppointment, { id })).toEqual(before)
    const asFirstRead = (await office.run(listEvents, { since: 0 })).events[2]
    office.at('2026-11-18T12:31:00Z')
    await office.run(updateAppointment, { id, loadDescription: 'Steel' })
    const { events } = await office.run(listEvents, { since: 0 })
    expect(events[2]).toEqual(asFirstRead)
    expect(events[2]!.data.appointment.updatedAt).toBe(events[1]!.timestamp)
    expect(
      events.map(({ event, data }) => [event, data.appointment.sequence, data.appointment.loadDescription]),
    ).toEqual([
      ['appointment.booked', 0, null],
      ['appointment.updated', 1, 'Paper'],
      ['appointment.reminded', 1, 'Paper'],
      ['appointment.updated', 2, 'Steel'],
    ])
  })

  it('sends a mail with the invitation to the contacts of the appointment', async () => {
    const { received, url } = await startMailServer()
    const office = await officeThatReminds()
    const ctx = {
      ...office.ctx,
      webhooks: { allowedNetworks: [] },
      findPublicUrl: () => null,
      mail: { url: url(), from: 'docks@north.example' },
    }
    await office.run(addWebhook as any, { url: 'contacts', events: ['appointment.reminded'] }, ctx as never)
    await book(office, 'PO-1', { contactEmails: ['ana@acme.example', 'bo@acme.example'] })
    await book(office, 'PO-2', { startTime: '07:00' })
    office.at('2026-11-18T13:30:00Z')
    expect(await remind(office)).toBe(2)
    await office.run(deliverWebhooks as any, {}, ctx as never)
    expect(received.map(({ to, subject }) => [to, subject])).toEqual(
      [['ana@acme.example'], ['bo@acme.example']].map((to) => [
        to,
        'Reminder: PO-1, Thu, 19 Nov 2026, 06:00 (America/Chicago) at North, Door 1',
      ]),
    )
    expect(received[0]!.text).toMatch(/METHOD:REQUEST[\s\S]*SEQUENCE:0/)
  })
})
