import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { showAvailability } from '../../../../src/docks/booking/operations/show-availability'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

const book = async (office: DockOffice, changes: Record<string, unknown>) =>
  (await office.run(bookAppointment, load(changes))).data
const at = (time: string, doorId?: string) => ({ startTime: time, doorId })

describe('booking a chosen start', () => {
  it('takes the first free door, or the chosen one by its name or ID', async () => {
    const office = await officeWith()
    const first = await book(office, at('09:30'))
    expect(first).toMatchObject({ startTime: '2026-11-17T15:30:00.000Z', durationMinutes: 60, doorName: 'Door 1' })
    expect(await book(office, at('2026-11-17T09:30'))).toMatchObject({ doorName: 'Door 2' })
    expect(await book(office, at('14:00', 'Door 2'))).toMatchObject({ doorName: 'Door 2' })
    expect(await book(office, at('15:00', first.doorId))).toMatchObject({ doorName: 'Door 1' })
  })

  it('needs no target date, and refuses one that contradicts', async () => {
    const office = await officeWith()
    const start = { startTime: '2026-11-17T10:00', targetDate: null }
    expect(await book(office, start)).toMatchObject({ startTime: '2026-11-17T16:00:00.000Z' })
    const refusal = await office.refusal(bookAppointment, load({ ...start, targetDate: '2026-11-18' }))
    expect(refusal).toMatchObject({ code: 'invalid', details: [{ path: 'startTime' }] })
  })

  it('is refused with the reasons and the nearest free slots, and never moved', async () => {
    const office = await officeWith({ doors: [{ name: 'Door 1' }, { name: 'Door 2', types: ['pickup'] }] })
    await book(office, at('09:00'))
    const refusal = await office.refusal(bookAppointment, load(at('09:15')))
    expect(refusal).toMatchObject({
      code: 'slot_unavailable',
      message:
        'No appointment is possible at 2026-11-17 09:15 (America/Chicago). Door 1: another appointment is there; Door 2: the door does not accept this type.',
      details: [
        { path: 'startTime', doors: ['Door 1'], reason: 'taken' },
        { path: 'startTime', doors: ['Door 2'], reason: 'door_type' },
        {
          message: '2026-11-17 10:00 at Door 1 is free',
          alternative: { startTime: '2026-11-17T16:00:00.000Z', doorName: 'Door 1' },
        },
        { alternative: { startTime: '2026-11-17T16:15:00.000Z' } },
        { alternative: { startTime: '2026-11-17T14:00:00.000Z' } },
      ],
    })
  })

  it('offers the same time at another door first', async () => {
    const office = await officeWith()
    await book(office, at('09:00', 'Door 1'))
    const { details } = await office.refusal(bookAppointment, load(at('09:00', 'Door 1')))
    expect(details).toMatchObject([
      { doors: ['Door 1'], reason: 'taken' },
      { alternative: { startTime: '2026-11-17T15:00:00.000Z', doorName: 'Door 2' } },
      { alternative: { doorName: 'Door 2' } },
      { alternative: { doorName: 'Door 2' } },
    ])
  })

  it.each([
    ['a break', { startTime: '11:30' }, 'break'],
    ['the end of the hours', { startTime: '17:30' }, 'outside_hours'],
    ['a closure', { startTime: '09:00', targetDate: '2026-11-26' }, 'closure'],
    ['a time between the starts', { startTime: '09:10' }, 'unaligned'],
    ['the lead time', { startTime: '08:45', targetDate: '2026-11-16' }, 'lead_time'],
  ])('is refused because of %s', async (_, changes, reason) => {
    const closures = [{ from: '2026-11-26', to: '2026-11-26', reason: 'Thanksgiving' }]
    const office = await officeWith({ closures, leadMinutes: 60 })
    const refusal = await office.refusal(bookAppointment, load(changes))
    expect(refusal.code).toBe('slot_unavailable')
    expect(refusal.details[0]).toMatchObject({ reason })
    expect(refusal.details.at(-1)).toHaveProperty('alternative')
  })

  it('respects the capacity of the facility', async () => {
    const office = await officeWith({ capacity: 1 })
    await book(office, at('09:00'))
    const { details } = await office.refusal(bookAppointment, load(at('09:30', 'Door 2')))
    expect(details[0]).toMatchObject({ reason: 'capacity' })
  })

  it('names the next free date if the requested one is closed, and the door that does not exist', async () => {
    const office = await officeWith()
    const { details } = await office.refusal(bookAppointment, load({ startTime: '2026-11-22T09:00', targetDate: null }))
    expect(details.at(-1)).toMatchObject({ alternative: { startTime: '2026-11-23T12:00:00.000Z' } })
    const refusal = await office.refusal(bookAppointment, load(at('09:00', 'Door 9')))
    expect(refusal).toMatchObject({
      code: 'invalid',
      details: [{ path: 'doorId', message: 'there is no door Door 9 at DC1' }],
    })
  })

  it('reports a past date, a duplicate and a bad combination before the place', async () => {
    const office = await officeWith()
    await book(office, { ...at('09:00'), referenceNumber: 'PO-1' })
    const codeOf = async (changes: Record<string, unknown>) =>
      (await office.refusal(bookAppointment, load({ ...at('09:00', 'Door 1'), ...changes }))).code
    expect(await codeOf({ startTime: '2026-11-13T09:00', targetDate: null })).toBe('date_in_past')
    expect(await codeOf({ referenceNumber: 'PO-1' })).toBe('duplicate_reference')
    expect(await codeOf({ notBefore: '08:00' })).toBe('invalid')
    expect(await codeOf({ startTime: null, targetDate: null })).toBe('invalid')
  })
})

describe('booking within preferred hours or at a door', () => {
  it('takes the earliest start within the hours, on a later date if need be', async () => {
    const office = await officeWith({ doors: [{ name: 'Door 1' }] })
    const hours = { notBefore: '13:00', notAfter: '14:00' }
    const starts = []
    for (let count = 0; count < 3; count++) starts.push((await book(office, hours)).startTime)
    expect(starts).toEqual(['2026-11-17T19:00:00.000Z', '2026-11-17T20:00:00.000Z', '2026-11-18T19:00:00.000Z'])
  })

  it('is refused with the reason if no date has such a start', async () => {
    const office = await officeWith({ advanceToNextOpenDay: false })
    const refusal = await office.refusal(bookAppointment, load({ notBefore: '20:00' }))
    expect(refusal).toMatchObject({
      code: 'no_slot',
      message: 'No free slot on 2026-11-17 (Tuesday).',
      details: [{ reason: 'outside_window' }],
    })
    expect((await office.refusal(bookAppointment, load({ notBefore: '10:00', notAfter: '09:00' }))).code).toBe(
      'invalid',
    )
  })

  it('uses only the chosen door', async () => {
    const office = await officeWith()
    expect(await book(office, { doorId: 'Door 2' })).toMatchObject({
      doorName: 'Door 2',
      startTime: '2026-11-17T12:00:00.000Z',
    })
    expect(await book(office, { doorId: 'Door 2' })).toMatchObject({
      doorName: 'Door 2',
      startTime: '2026-11-17T13:00:00.000Z',
    })
  })
})

describe('rescheduling to a chosen start', () => {
  it('moves it there, with its own slot counted as free', async () => {
    const office = await officeWith({ capacity: 1 })
    const { id } = await book(office, at('09:00'))
    const { message, data } = await office.run(rescheduleAppointment, {
      id,
      startTime: '2026-11-17T09:30',
      doorId: 'Door 2',
    })
    expect(message).toBe('Rescheduled to 2026-11-17 09:30 (America/Chicago) at Door 2.')
    expect(data).toMatchObject({ startTime: '2026-11-17T15:30:00.000Z', durationMinutes: 60, doorName: 'Door 2' })
    const again = await office.run(rescheduleAppointment, { id, startTime: '2026-11-17T09:30', doorId: 'Door 2' })
    expect(again.message).toMatch(/^Nothing was changed: the appointment is already there/)
  })

  it('changes nothing if the start is not free', async () => {
    const office = await officeWith({ doors: [{ name: 'Door 1' }] })
    await book(office, at('09:00'))
    const { id } = await book(office, at('14:00'))
    const before = await office.run(getAppointment, { id })
    const refusal = await office.refusal(rescheduleAppointment, { id, targetDate: '2026-11-17', startTime: '09:30' })
    expect(refusal).toMatchObject({ code: 'slot_unavailable', details: [{ reason: 'taken' }, {}, {}, {}] })
    expect(await office.run(getAppointment, { id })).toEqual(before)
  })

  it('searches the first slot within hours or at a door of the date', async () => {
    const office = await officeWith()
    const { id } = await book(office, {})
    const window = { targetDate: '2026-11-18', notBefore: '13:00', doorId: 'Door 2' }
    const { data } = await office.run(rescheduleAppointment, { id, ...window })
    expect(data).toMatchObject({ startTime: '2026-11-18T19:00:00.000Z', doorName: 'Door 2' })
  })
})

describe('a slot of the availability', () => {
  const slotsOf = async (office: DockOffice, date: string) =>
    (await office.run(showAvailability, { id: 'DC1', date, type: 'delivery', minutes: 45 })).slots

  it('is booked and rescheduled to as it is, every one of them', async () => {
    const office = await officeWith({ queues: [{ days: ['tue', 'wed'], start: '06:00', end: '07:30' }] })
    const { targetDate: _, durationMinutes: __, ...booking } = load()
    for (
      let slots = await slotsOf(office, '2026-11-17'), n = 0;
      slots.length > 0;
      slots = await slotsOf(office, '2026-11-17')
    ) {
      const slot = slots.at(n % slots.length)!
      const { data } = await office.run(bookAppointment, {
        ...booking,
        referenceNumber: `S-${n++}`,
        slotId: slot.slotId,
      })
      expect(data).toMatchObject({ startTime: slot.startTime, endTime: slot.endTime, doorId: slot.doorId })
    }
    const { id } = await book(office, { targetDate: '2026-11-18', startTime: '06:00' })
    const slot = (await slotsOf(office, '2026-11-18')).at(-1)!
    const { data } = await office.run(rescheduleAppointment, { id, slotId: slot.slotId })
    expect(data).toMatchObject({ startTime: slot.startTime, endTime: slot.endTime, doorId: slot.doorId })
  })

  it('is refused if it was taken since, is for the other type, or is combined with another choice', async () => {
    const office = await officeWith({ doors: [{ name: 'Door 1' }] })
    const { slotId } = (await slotsOf(office, '2026-11-17'))[0]!
    const { durationMinutes: _, ...booking } = load({ slotId })
    await office.run(bookAppointment, booking)
    const codeOf = async (changes: Record<string, unknown>) =>
      (await office.refusal(bookAppointment, { ...booking, referenceNumber: 'other', ...changes })).code
    expect(await codeOf({})).toBe('slot_unavailable')
    expect(await codeOf({ type: 'pickup' })).toBe('invalid')
    expect(await codeOf({ durationMinutes: 30 })).toBe('invalid')
    expect(await codeOf({ targetDate: '2026-11-18' })).toBe('invalid')
    expect(await codeOf({ slotId: `zzzzzzzzz-1-d-${slotId.slice(-22)}` })).toBe('invalid')
  })
})
