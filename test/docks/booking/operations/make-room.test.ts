import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { pinAppointment } from '../../../../src/docks/booking/operations/pin-appointment'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { showAvailability } from '../../../../src/docks/booking/operations/show-availability'
import { showHistory } from '../../../../src/docks/booking/operations/show-history'
import { admitCarrier } from '../../../../src/docks/carriers/operations/admit-carrier'
import { setBookingCheck } from '../../../../src/docks/checks/operations/set-booking-check'
import { listEvents } from '../../../../src/docks/events/operations/list-events'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { docksTables } from '../../../../src/docks/queries/docks-tables'
import { reportFacility } from '../../../../src/docks/reports/operations/report-facility'
import { addToWaitlist } from '../../../../src/docks/waitlist/operations/add-to-waitlist'
import { listWaitlist } from '../../../../src/docks/waitlist/operations/list-waitlist'
import type { ReadTx } from '../../../../src/storage'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'
import { AT_NINE, book, bookReefer, carrierAt, doorOf, officeWithFirst, REEFER } from './room-fixtures'

const readAppointments = async (tx: ReadTx) => [
  await docksTables(tx).selectFrom('appointment').selectAll().execute(),
  await docksTables(tx).selectFrom('appointment_change').selectAll().execute(),
]

describe('a booking that makes room', () => {
  it('moves those that begin on the day before, as far back as one displaces another', async () => {
    const office = await officeWith({
      ...{ makeRoom: 'ask', maxMinutes: 240, breaks: [] },
      queues: [
        { name: 'Always', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], start: '00:00', end: '00:00' },
      ],
      doors: [
        { name: 'Cold', features: ['reefer', 'hazmat'] },
        { name: 'Warm', features: ['hazmat'] },
        { name: 'Plain' },
      ],
    })
    const at = (startTime: string, durationMinutes: number, more: Record<string, unknown>) =>
      office.run(bookAppointment, load({ ...{ targetDate: undefined, startTime, durationMinutes }, ...more }))
    await at('2026-11-16T19:30', 240, { referenceNumber: 'FIRST', doorId: 'Warm' })
    await at('2026-11-16T23:00', 180, { referenceNumber: 'SECOND', doorId: 'Cold', requirements: ['hazmat'] })
    const { moves } = await at('2026-11-17T00:00', 60, { ...REEFER, makeRoom: true })
    expect(moves!.map(({ referenceNumber }) => referenceNumber).sort()).toEqual(['FIRST', 'SECOND'])
  })

  it('moves another appointment to another door at its own time, and says so', async () => {
    const { office, first } = await officeWithFirst()
    await expect(book(office, { ...AT_NINE, ...REEFER })).rejects.toMatchObject({ code: 'slot_unavailable' })
    const { message, data, moves } = await bookReefer(office, { referenceNumber: 'COLD' })
    expect(data).toMatchObject({ doorName: 'Door 1', startTime: first.startTime })
    expect(moves).toEqual([
      { id: first.id, referenceNumber: first.referenceNumber, fromDoor: 'Door 1', toDoor: 'Door 2' },
    ])
    expect(message).toBe(
      `Booked for 2026-11-17 09:00 (America/Chicago) at Door 1. Moved: ${first.referenceNumber} from Door 1 to Door 2.`,
    )
    expect(await office.run(getAppointment, { id: first.id })).toMatchObject({
      doorName: 'Door 2',
      startTime: first.startTime,
      endTime: first.endTime,
      sequence: 1,
    })
    const madeRoomFor = { id: data.id, referenceNumber: 'COLD' }
    const entry = { by: 'make-room', note: 'Made room for another appointment.', madeRoomFor }
    expect((await office.run(showHistory, { id: first.id })).at(-1)).toMatchObject({ kind: 'rescheduled', ...entry })
    const events = await office.run(listEvents, { since: 0 })
    const moved = events.events.find(({ event }) => event === 'appointment.rescheduled')
    expect(moved?.data).toMatchObject({ appointment: { id: first.id, doorName: 'Door 2' }, ...entry })
  })

  it('lets two exchange their doors at a time at which a reduced capacity is exceeded', async () => {
    const doors = [{ name: 'Door 1', features: ['reefer'] }, { name: 'Door 2' }, { name: 'Door 3' }]
    const { office, first } = await officeWithFirst({ doors }, { durationMinutes: 120 })
    const second = await book(office, { startTime: '10:00', durationMinutes: 120, doorId: 'Door 2' })
    await book(office, { startTime: '10:00', doorId: 'Door 3' })
    await office.run(updateFacility, { id: 'DC1', capacity: 2 })
    const { moves } = await bookReefer(office)
    expect(moves).toHaveLength(2)
    expect([await doorOf(office, first), await doorOf(office, second)]).not.toContain('Door 3')
  })

  it('moves no other appointment if a slot is free', async () => {
    const { office, first } = await officeWithFirst()
    const { data, moves } = await office.run(bookAppointment, load({ ...AT_NINE, makeRoom: true }))
    expect([data.doorName, moves]).toEqual(['Door 2', []])
    expect(await doorOf(office, first)).toBe('Door 1')
  })

  it('moves several short ones for a long one, and leaves those in peace that need their doors', async () => {
    const doors = [{ name: 'Cold', features: ['reefer'] }, { name: 'Tall', features: ['lift'] }, { name: 'Plain' }]
    const office = await officeWith({ makeRoom: 'ask', doors })
    for (const [startTime, doorId] of [
      ['09:00', 'Cold'],
      ['10:00', 'Cold'],
      ['09:00', 'Tall'],
    ])
      await book(office, {
        startTime,
        doorId,
        ...(doorId === 'Tall' || startTime === '09:00' ? {} : { requirements: [] }),
      })
    const lifted = await book(office, { startTime: '10:00', doorId: 'Tall', requirements: ['lift'] })
    const { moves } = await bookReefer(office, { durationMinutes: 120 })
    expect(moves?.map(({ toDoor }) => toDoor)).toEqual(['Plain', 'Plain'])
    expect(await doorOf(office, lifted)).toBe('Tall')
  })

  it('saves two appointments that take the door of each other', async () => {
    const { office, first } = await officeWithFirst()
    const early = await book(office, { startTime: '08:00', durationMinutes: 75, doorId: 'Door 2' })
    await bookReefer(office, { startTime: '09:30' })
    expect([await doorOf(office, first), await doorOf(office, early)]).toEqual(['Door 2', 'Door 1'])
  })

  it('takes the date that was asked for before it rolls over to the next', async () => {
    const { office } = await officeWithFirst({
      queues: [{ days: ['mon', 'tue', 'wed'], start: '09:00', end: '10:00' }],
    })
    const rolled = await book(office, REEFER)
    expect(rolled.startTime).toContain('2026-11-18')
    const { data, moves } = await office.run(bookAppointment, load({ ...REEFER, makeRoom: true }))
    expect(data.startTime).toContain('2026-11-17T15:00')
    expect(moves).toHaveLength(1)
  })

  it.each([false, true])(
    'says if a start was passed over without knowing whether room can be made: %s',
    async (isLong) => {
      const { office } = await officeWithFirst({
        ...{ breaks: [], maxMinutes: 300 },
        doors: [{ name: 'Door 1', features: ['reefer'] }, { name: 'Door 2' }, { name: 'Door 3', types: ['pickup'] }],
        queues: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '00:00', end: '24:00' }],
      })
      const other = await book(office, { ...AT_NINE, doorId: 'Door 2' })
      await office.run(pinAppointment, { id: other.id })
      // The search for room on Tuesday reads appointments until 02:00, and knows nothing of those around the rest of this one.
      if (isLong) await book(office, { startTime: '23:00', durationMinutes: 240, doorId: 'Door 2' })
      await office.run(updateFacility, { id: 'DC1', maxMinutes: 60 })
      const { data, message, moves, roomComplete } = await office.run(
        bookAppointment,
        load({ ...REEFER, notBefore: '09:00', notAfter: '09:00', makeRoom: true }),
      )
      expect([data.startTime, moves]).toEqual(['2026-11-18T15:00:00.000Z', []])
      const passed = 'The search for room at earlier starts ended before it was complete.'
      expect([roomComplete, message.includes(passed)]).toEqual(isLong ? [false, true] : [undefined, false])
    },
  )

  it('shows in a dry run what it would do, and does it only as shown', async () => {
    const { office, first } = await officeWithFirst()
    const before = await office.db.read(readAppointments)
    const reference = { referenceNumber: 'COLD' }
    const shown = await bookReefer(office, { ...reference, dryRun: true })
    const { data, message, moves, dryRun, planId } = shown as typeof shown & { planId?: string }
    expect(dryRun).toBe(true)
    expect(data).toMatchObject({ id: null, doorName: 'Door 1', startTime: first.startTime })
    expect(message).toContain('Would be booked for 2026-11-17 09:00')
    expect(moves).toHaveLength(1)
    expect(await office.db.read(readAppointments)).toEqual(before)
    const booked = await bookReefer(office, { ...reference, planId })
    expect(booked).toMatchObject({ data: { ...data, id: expect.any(String) }, moves })
    expect(await doorOf(office, first)).toBe('Door 2')
  })

  it('counts a dry run without a slot as no refused request', async () => {
    const { office } = await officeWithFirst()
    const wanted = load({ ...AT_NINE, ...REEFER })
    const listRefused = async () => (await office.run(reportFacility, { id: 'DC1', startDate: '2026-11-16' })).refused
    await office.refusal(bookAppointment, { ...wanted, dryRun: true })
    expect(await listRefused()).toEqual([])
    await office.refusal(bookAppointment, wanted)
    expect(await listRefused()).toMatchObject([{ count: 1 }])
  })

  it('offers the time that is left at the door of those who moved to who waits for it', async () => {
    const { office } = await officeWithFirst(
      { queues: [{ days: ['tue'], start: '09:00', end: '11:00' }], breaks: [] },
      { durationMinutes: 120 },
    )
    const { data } = await office.run(addToWaitlist, load({ ...REEFER, referenceNumber: 'WAITS' }))
    expect(data.offer).toBeNull()
    await bookReefer(office, { dryRun: true })
    expect((await office.run(listWaitlist, { facilityCode: 'DC1' }))[0]!.offer).toBeNull()
    await bookReefer(office)
    expect((await office.run(listWaitlist, { facilityCode: 'DC1' }))[0]!.offer).toMatchObject({
      doorName: 'Door 1',
      startTime: '2026-11-17T16:00:00.000Z',
    })
  })

  it('moves no other appointment if the booking cannot be saved', async () => {
    const { office, first } = await officeWithFirst()
    const sameId = { ...office.ctx, ids: { ...office.ctx.ids, uuid: () => first.id! } }
    await expect(bookReefer(office, {}, sameId)).rejects.toThrow()
    expect(await doorOf(office, first)).toBe('Door 1')
    expect(await office.run(showHistory, { id: first.id })).toHaveLength(1)
  })

  it('says why there is no room', async () => {
    const { office, first } = await officeWithFirst()
    await office.run(pinAppointment, { id: first.id })
    const refusal = await office.refusal(bookAppointment, load({ ...AT_NINE, ...REEFER, makeRoom: true }))
    expect(refusal).toMatchObject({ code: 'slot_unavailable' })
    expect(refusal.details.at(-1)).toEqual({
      path: 'makeRoom',
      message: 'moving other appointments to other doors makes no room',
    })
  })
})

describe('the availability', () => {
  const show = (office: DockOffice, more: Record<string, unknown> = {}, ctx = office.ctx) =>
    office.run(
      showAvailability,
      { id: 'DC1', date: '2026-11-17', type: 'delivery', minutes: 60, ...REEFER, ...more },
      ctx,
    )

  it('marks the starts for which others would move, and a booking of such a slot moves them', async () => {
    const { office, first } = await officeWithFirst()
    const known = new Set((await show(office)).slots.map(({ localTime }) => localTime))
    expect(known.has('09:00')).toBe(false)
    const { slots, roomComplete } = await show(office, { makeRoom: true })
    expect(roomComplete).toBe(true)
    for (const { localTime, moves } of slots) expect(moves).toBe(known.has(localTime) ? 0 : 1)
    const nine = slots.find(({ localTime }) => localTime === '09:00')!
    expect(nine).toMatchObject({ doorName: 'Door 1', freeDoors: 0, moves: 1 })
    const { slotId } = nine
    const { moves } = await office.run(
      bookAppointment,
      load({ slotId, ...REEFER, makeRoom: true, targetDate: undefined, durationMinutes: undefined }),
    )
    expect(moves?.map(({ id }) => id)).toEqual([first.id])
  })

  it('shows them to the staff alone, where the facility makes room', async () => {
    const { office } = await officeWithFirst({ makeRoom: 'never' })
    await expect(show(office, { makeRoom: true })).rejects.toMatchObject({ code: 'invalid' })
    await office.run(admitCarrier, { id: 'DC1', name: 'Blue Freight', makeRoom: true })
    const blue = await carrierAt(office, 'Blue Freight')
    await expect(show(office, { makeRoom: true }, blue)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('the setting of the facility', () => {
  it('refuses the request by default, and says which setting to change', async () => {
    const { office } = await officeWithFirst({ makeRoom: undefined })
    const refusal = await office.refusal(bookAppointment, load({ ...AT_NINE, ...REEFER, makeRoom: true }))
    expect(refusal).toMatchObject({ code: 'invalid', details: [{ path: 'makeRoom' }] })
    expect(JSON.stringify(refusal.hint)).toContain('facilities.update')
  })

  it('makes room for every booking that would fail, if it is always', async () => {
    const { office } = await officeWithFirst({ makeRoom: 'always' })
    const { data, moves } = await office.run(bookAppointment, load({ ...AT_NINE, ...REEFER }))
    expect([data.doorName, moves?.length]).toEqual(['Door 1', 1])
  })

  it('names in an error no field that the caller did not send', async () => {
    const { office, first } = await officeWithFirst({ makeRoom: 'always', advanceToNextOpenDay: false })
    await office.run(pinAppointment, { id: first.id })
    const why = 'moving other appointments to other doors makes no room'
    const atNine = await office.refusal(bookAppointment, load({ ...AT_NINE, ...REEFER }))
    expect(atNine.details.at(-1)).toEqual({ path: 'startTime', message: why })
    const window = { notBefore: '09:00', notAfter: '09:00' }
    const onDate = await office.refusal(bookAppointment, load({ ...window, ...REEFER }))
    expect(onDate.details.at(-1)).toEqual({ path: 'targetDate', message: why })
  })
})

describe('the rules of the facility', () => {
  it('hold for the one that is booked', async () => {
    const full = await officeWithFirst({ capacity: 1 })
    await expect(bookReefer(full.office)).rejects.toMatchObject({ code: 'slot_unavailable' })
    const limit = { name: 'Crew', max: 1, unit: 'appointments', per: 'hour' }
    const limited = await officeWithFirst({ limits: [limit] })
    await expect(bookReefer(limited.office)).rejects.toMatchObject({ code: 'slot_unavailable' })
  })
})

describe('a carrier', () => {
  it('makes room only if its admission allows it, and never sees who moves', async () => {
    const { office, first } = await officeWithFirst({}, { carrierName: 'Red Lines' })
    await office.run(admitCarrier, { id: 'DC1', name: 'Blue Freight' })
    const blue = await carrierAt(office, 'Blue Freight')
    await expect(bookReefer(office, {}, blue)).rejects.toMatchObject({ code: 'forbidden' })
    await office.run(admitCarrier, { id: 'DC1', name: 'Blue Freight', makeRoom: true })
    const answer = await bookReefer(office, {}, blue)
    expect(answer.moves).toBeUndefined()
    expect(answer.message).not.toContain(first.referenceNumber)
    expect(await doorOf(office, first)).toBe('Door 2')
    const entry = (await office.run(showHistory, { id: first.id })).at(-1)!
    expect([entry.by, entry.byId]).toEqual(['make-room', null])
  })

  it('keeps a door that it has asked for', async () => {
    const office = await officeWith({
      makeRoom: 'ask',
      doors: [{ name: 'Door 1', features: ['reefer'] }, { name: 'Door 2' }],
    })
    await office.run(admitCarrier, { id: 'DC1', name: 'Blue Freight' })
    const blue = await carrierAt(office, 'Blue Freight')
    const { id } = await book(office, { ...AT_NINE, doorId: 'Door 1' }, blue)
    expect((await office.run(getAppointment, { id })).pinned).toBe(true)
    await expect(bookReefer(office)).rejects.toMatchObject({ code: 'slot_unavailable' })
    const other = await book(office, { startTime: '13:00' }, blue)
    await office.run(rescheduleAppointment, { id: other.id, startTime: '2026-11-17T14:00' }, blue)
    expect((await office.run(getAppointment, { id: other.id })).pinned).toBe(false)
    await office.run(rescheduleAppointment, { id: other.id, startTime: '2026-11-17T15:00', doorId: 'Door 1' }, blue)
    expect((await office.run(getAppointment, { id: other.id })).pinned).toBe(true)
  })

  it('gets no hint at a command that it cannot use, and the facility is not asked about a request that it refuses', async () => {
    const { office } = await officeWithFirst({ makeRoom: 'never' })
    await office.run(admitCarrier, { id: 'DC1', name: 'Blue Freight', makeRoom: true })
    const blue = await carrierAt(office, 'Blue Freight')
    const away = { id: 'DC1', url: 'https://check.example.com/', ifAway: 'refuse' }
    await office.run(setBookingCheck, away, { ...office.ctx, webhooks: { allowedNetworks: [] } } as never)
    const refusal = await office.refusal(bookAppointment, load({ ...AT_NINE, ...REEFER, makeRoom: true }), blue)
    expect(refusal).toMatchObject({ code: 'invalid', hint: 'Book without makeRoom, or contact the facility.' })
  })
})
