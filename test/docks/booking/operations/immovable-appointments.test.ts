import { describe, expect, it } from 'vitest'
import { confirmHold } from '../../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../../src/docks/booking/operations/create-hold'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { pinAppointment } from '../../../../src/docks/booking/operations/pin-appointment'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { showHistory } from '../../../../src/docks/booking/operations/show-history'
import { unpinAppointment } from '../../../../src/docks/booking/operations/unpin-appointment'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { admitCarrier } from '../../../../src/docks/carriers/operations/admit-carrier'
import { addWebhook } from '../../../../src/docks/events/operations/add-webhook'
import { blockTime } from '../../../../src/docks/facilities/operations/block-time'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { checkInAppointment } from '../../../../src/docks/visits/operations/check-in-appointment'
import { undoStep } from '../../../../src/docks/visits/operations/undo-step'
import { acceptOffer } from '../../../../src/docks/waitlist/operations/accept-offer'
import { addToWaitlist } from '../../../../src/docks/waitlist/operations/add-to-waitlist'
import { type DockOffice, load, NOW, officeWith } from '../../dock-fixtures'
import { AT_NINE, book, bookReefer, carrierAt, doorOf, officeWithFirst } from './room-fixtures'

describe('an appointment that never moves', () => {
  const isRefused = (office: DockOffice) =>
    expect(bookReefer(office)).rejects.toMatchObject({ code: 'slot_unavailable' })

  it('is pinned, until it is unpinned', async () => {
    const { office, first } = await officeWithFirst()
    expect((await office.run(pinAppointment, { id: first.id })).data).toMatchObject({ pinned: true, sequence: 1 })
    expect((await office.run(pinAppointment, { id: first.id })).data).toMatchObject({ pinned: true, sequence: 1 })
    await isRefused(office)
    await expect(office.run(unpinAppointment, { id: first.id, ifSequence: 0 })).rejects.toMatchObject({
      code: 'stale_revision',
    })
    await office.run(unpinAppointment, { id: first.id, ifSequence: 1 })
    await bookReefer(office)
    const history = await office.run(showHistory, { id: first.id })
    expect(history.map(({ kind }) => kind)).toEqual(['booked', 'pinned', 'unpinned', 'rescheduled'])
    expect(history[1]!.changes).toEqual([{ field: 'pinned', before: false, after: true }])
  })

  it('has checked in', async () => {
    const { office, first } = await officeWithFirst()
    await office.run(checkInAppointment, { id: first.id, early: true })
    await isRefused(office)
  })

  it('has started', async () => {
    const { office } = await officeWithFirst({}, { durationMinutes: 120 })
    office.at('2026-11-17T15:30:00Z')
    await expect(bookReefer(office, { startTime: '10:00' })).rejects.toMatchObject({ code: 'slot_unavailable' })
  })

  it('is a hold', async () => {
    const office = await officeWith({
      makeRoom: 'ask',
      doors: [{ name: 'Door 1', features: ['reefer'] }, { name: 'Door 2' }],
    })
    const { carrierName: _c, referenceNumber: _r, ...held } = load(AT_NINE)
    await office.run(createHold, { ...held, doorId: 'Door 1' })
    await isRefused(office)
  })

  it('has announced its door to its contacts, unless the facility allows it', async () => {
    const office = await officeWith({
      makeRoom: 'ask',
      doors: [{ name: 'Door 1', features: ['reefer'] }, { name: 'Door 2' }],
    })
    const mail = { url: 'smtp://127.0.0.1', from: 'docks@example.com' }
    await office.run(addWebhook, { url: 'contacts' }, { ...office.ctx, mail } as never)
    const first = await book(office, { ...AT_NINE, doorId: 'Door 1', contactEmails: ['driver@example.com'] })
    const silent = await book(office, { ...AT_NINE, doorId: 'Door 2' })
    expect((await office.run(getAppointment, { id: first.id })).doorAnnouncedAt).toBe(new Date(NOW).toISOString())
    expect((await office.run(getAppointment, { id: silent.id })).doorAnnouncedAt).toBeNull()
    await office.run(rescheduleAppointment, { id: silent.id, startTime: '2026-11-17T11:00' })
    await isRefused(office)
    await office.run(updateFacility, { id: 'DC1', moveAnnounced: true })
    await bookReefer(office)
    expect(await doorOf(office, first)).toBe('Door 2')
  })

  it('has announced its door with a later change, but not with one that its contacts do not see', async () => {
    const note = { name: 'dock_note', seenBy: 'site' }
    const { office, first } = await officeWithFirst({ customFields: [note] })
    const mail = { url: 'smtp://127.0.0.1', from: 'docks@example.com' }
    await office.run(addWebhook, { url: 'contacts' }, { ...office.ctx, mail } as never)
    const findAnnounced = async () => (await office.run(getAppointment, { id: first.id })).doorAnnouncedAt
    await office.run(checkInAppointment, { id: first.id, early: true })
    await office.run(undoStep, { id: first.id })
    expect(await findAnnounced()).toBeNull()
    await office.run(updateAppointment, { id: first.id, contactEmails: ['driver@example.com'] })
    expect(await findAnnounced()).toBe(new Date(NOW).toISOString())
    await isRefused(office)
    office.at('2026-11-16T15:00:00Z')
    await office.run(updateAppointment, { id: first.id, siteFields: { dock_note: 'wet floor' } })
    await office.run(checkInAppointment, { id: first.id, early: true })
    await office.run(undoStep, { id: first.id })
    expect(await findAnnounced()).toBe(new Date(NOW).toISOString())
  })

  it('has no other door: blocked, too low, or with the buffer of another one', async () => {
    const blocked = await officeWithFirst()
    await blocked.office.run(blockTime, { id: 'DC1', from: '2026-11-17T09:30', to: '09:45', doors: ['Door 2'] })
    await isRefused(blocked.office)
    const low = await officeWithFirst(
      {
        doors: [
          { name: 'Door 1', features: ['reefer'] },
          { name: 'Door 2', maxHeight: 150 },
        ],
      },
      { equipmentHeight: 160 },
    )
    await isRefused(low.office)
    const close = await officeWithFirst({ bufferMinutes: 15 })
    await book(close.office, { startTime: '10:00', doorId: 'Door 2' })
    await isRefused(close.office)
  })

  it('is at a door that its carrier chose when it was held or put on the waitlist', async () => {
    const { office } = await officeWithFirst()
    await office.run(admitCarrier, { id: 'DC1', name: 'Blue Freight' })
    const blue = await carrierAt(office, 'Blue Freight')
    const isPinned = async (id: string | null) => (await office.run(getAppointment, { id })).pinned
    const hold = async (changes: Record<string, unknown>, ctx = blue) => {
      const { referenceNumber, targetDate: _, ...place } = load({ startTime: '2026-11-17T13:00', ...changes })
      const { data } = await office.run(createHold, place, ctx)
      return (await office.run(confirmHold, { id: data.id, referenceNumber }, ctx)).data.id
    }
    expect(await isPinned(await hold({ doorId: 'Door 1' }))).toBe(true)
    expect(await isPinned(await hold({}))).toBe(false)
    expect(await isPinned(await hold({ startTime: '2026-11-17T14:00', doorId: 'Door 1' }, office.ctx))).toBe(false)
    const wait = async (changes: Record<string, unknown>, ctx = blue) => {
      const { data } = await office.run(addToWaitlist, load({ targetDate: '2026-11-19', ...changes }), ctx)
      return (await office.run(acceptOffer, { id: data.id }, ctx)).data.id
    }
    expect(await isPinned(await wait({ doorId: 'Door 1' }))).toBe(true)
    expect(await isPinned(await wait({}))).toBe(false)
    expect(await isPinned(await wait({ doorId: 'Door 1' }, office.ctx))).toBe(false)
  })
})
