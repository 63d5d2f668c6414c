import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { Appointment } from '../../../../src/docks/booking/schemas'
import { completeAppointment } from '../../../../src/docks/visits/operations/complete-appointment'
import { suggest } from '../../../../src/kernel'
import { load, officeWith } from '../../dock-fixtures'

const ONE_DOOR = { doors: [{ name: 'Door 1' }] }
const UNKNOWN_ID = '11111111-1111-1111-1111-111111111111'

describe('booking', () => {
  it('returns the appointment exactly as documented', async () => {
    const office = await officeWith()
    const booking = load({
      referenceNumber: '  PO-9  ',
      durationMinutes: undefined,
      palletCount: 12,
      weight: 18000,
      loadDescription: 'Tiles',
      trailerId: 'TR-7',
    })
    const answer = await office.run(bookAppointment, booking)
    expect(answer).toEqual({
      status: 'success',
      message: 'Booked for 2026-11-17 06:00 (America/Chicago) at Door 1.',
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        facilityId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        facilityName: 'North',
        facilityCode: 'DC1',
        doorId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        doorName: 'Door 1',
        type: 'delivery',
        startTime: '2026-11-17T12:00:00.000Z',
        endTime: '2026-11-17T12:44:00.000Z',
        carrierName: 'Blue Freight',
        referenceNumber: 'PO-9',
        status: 'scheduled',
        palletCount: 12,
        durationMinutes: 44,
        equipmentId: 'TR-7',
        trailerId: 'TR-7',
      },
    })
  })

  it('books the earliest start, on a tie the first door, and lets appointments touch', async () => {
    const office = await officeWith()
    const placed = []
    for (let i = 0; i < 4; i++) placed.push((await office.run(bookAppointment, load())).data)
    expect(placed.map(({ doorName, startTime }) => [doorName, startTime.slice(11, 16)])).toEqual([
      ['Door 1', '12:00'],
      ['Door 2', '12:00'],
      ['Door 1', '13:00'],
      ['Door 2', '13:00'],
    ])
  })

  it('never overlaps a break', async () => {
    const office = await officeWith({ ...ONE_DOOR, maxMinutes: 720 })
    await office.run(bookAppointment, load({ durationMinutes: 330 }))
    const { data } = await office.run(bookAppointment, load({ durationMinutes: 45 }))
    expect(data.startTime).toBe('2026-11-17T18:30:00.000Z')
  })

  it('rolls over closed days and closures if the date has no free slot', async () => {
    const office = await officeWith({ closures: [{ from: '2026-11-23', to: '2026-11-24', reason: 'Audit' }] })
    const { data } = await office.run(bookAppointment, load({ targetDate: '2026-11-21' }))
    expect(data.startTime).toBe('2026-11-25T12:00:00.000Z')
  })

  it('rolls over if the date is full, up to the thirtieth day after it', async () => {
    const office = await officeWith({
      ...ONE_DOOR,
      queues: [{ days: ['tue'], start: '06:00', end: '07:00' }],
    })
    for (const expected of ['2026-11-17', '2026-11-24', '2026-12-01', '2026-12-08', '2026-12-15']) {
      const { data } = await office.run(bookAppointment, load())
      expect(data.startTime).toBe(`${expected}T12:00:00.000Z`)
    }
    const refusal = await office.refusal(bookAppointment, load())
    expect(refusal).toMatchObject({ code: 'no_slot', message: 'No free slot from 2026-11-17 to 2026-12-17.' })
    expect(refusal.details).toHaveLength(31)
    expect(refusal.details[0]).toMatchObject({ date: '2026-11-17', doors: ['Door 1'], reason: 'full' })
    expect(refusal.details[1]).toMatchObject({ date: '2026-11-18', doors: ['Door 1'], reason: 'closed' })
    const { data } = await office.run(bookAppointment, load({ targetDate: '2026-11-22' }))
    expect(data.startTime).toBe('2026-12-22T12:00:00.000Z')
  })

  it('reports why each date and group of doors has no free slot', async () => {
    const office = await officeWith({
      queues: [
        { days: ['tue', 'wed'], start: '06:00', end: '07:00', doors: ['Door 1'] },
        { days: ['tue', 'wed', 'thu'], start: '06:00', end: '06:30', doors: ['Door 2'] },
      ],
      closures: [{ from: '2026-11-18', to: '2026-12-31' }],
      advanceToNextOpenDay: true,
    })
    await office.run(bookAppointment, load())
    const { details } = await office.refusal(bookAppointment, load())
    expect(details.slice(0, 3)).toEqual([
      {
        path: 'targetDate',
        message: '2026-11-17 (Tuesday), Door 1: all slots are taken',
        date: '2026-11-17',
        doors: ['Door 1'],
        reason: 'full',
      },
      {
        path: 'targetDate',
        message: '2026-11-17 (Tuesday), Door 2: no window is long enough',
        date: '2026-11-17',
        doors: ['Door 2'],
        reason: 'too_long_for_window',
      },
      expect.objectContaining({ date: '2026-11-18', reason: 'closure' }),
    ])
  })

  describe('at a facility without rollover', () => {
    const stay = { ...ONE_DOOR, advanceToNextOpenDay: false }

    it.each([
      ['a closed day', '2026-11-22', 'Facility is closed on 2026-11-22 (Sunday).', 'closed'],
      ['a closure', '2026-11-26', 'Facility is closed on 2026-11-26 (Thursday).', 'closure'],
    ])('refuses %s', async (_, targetDate, message, reason) => {
      const office = await officeWith({ ...stay, closures: [{ from: '2026-11-26', to: '2026-11-27' }] })
      const refusal = await office.refusal(bookAppointment, load({ targetDate }))
      expect(refusal).toMatchObject({ code: 'facility_closed', message, details: [{ reason }] })
    })

    it('refuses a full date in the same form', async () => {
      const office = await officeWith({ ...stay, queues: [{ days: ['tue'], start: '06:00', end: '07:00' }] })
      await office.run(bookAppointment, load())
      expect(await office.refusal(bookAppointment, load())).toMatchObject({
        code: 'fully_booked',
        message: 'Facility is closed on 2026-11-17 (Tuesday).',
        details: [{ reason: 'full', date: '2026-11-17' }],
      })
    })
  })

  describe('the length', () => {
    it.each([
      ['the pallets, 2 minutes each and 20 more', { palletCount: 30 }, 80],
      ['the longest that the facility takes', { palletCount: 500 }, 240],
      ['the shortest that the facility takes', { palletCount: 1 }, 30],
      ['the minutes, whatever the pallets', { palletCount: 30, durationMinutes: 35 }, 35],
      ["the facility's default", {}, 60],
      ["the facility's default where both are null", { palletCount: null, durationMinutes: null }, 60],
    ])('is %s', async (_, asked, minutes) => {
      const office = await officeWith({ minMinutes: 30 })
      const { data } = await office.run(bookAppointment, load({ durationMinutes: undefined, ...asked }))
      expect(data.durationMinutes).toBe(minutes)
      expect(Date.parse(data.endTime) - Date.parse(data.startTime)).toBe(minutes * 60_000)
    })

    it.each([29, 241])('is refused at %i minutes if the limits are 30 and 240', async (durationMinutes) => {
      const office = await officeWith({ minMinutes: 30 })
      const refusal = await office.refusal(bookAppointment, load({ durationMinutes }))
      expect(refusal).toMatchObject({ code: 'invalid', details: [{ path: 'durationMinutes' }] })
      expect(refusal.message).toContain('between 30 and 240')
    })
  })

  describe('a reference', () => {
    it('has at most one scheduled appointment per facility', async () => {
      const office = await officeWith()
      const first = await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
      const refusal = await office.refusal(bookAppointment, load({ referenceNumber: ' PO-1 ' }))
      const {
        visit: _,
        timeZone: __,
        nextSteps: ___,
        sequence: ____,
        updatedAt: _____,
        pinned: _p,
        doorAnnouncedAt: _d,
        ...appointment
      } = await office.run(getAppointment, { id: first.data.id })
      expect(refusal).toMatchObject({
        code: 'duplicate_reference',
        message: 'An active scheduled appointment already exists for reference number PO-1.',
        details: [{ path: 'referenceNumber', appointment }],
      })
      expect(Object.keys(refusal.details[0]!['appointment'] as object).sort()).toEqual(
        Object.keys(Appointment.shape).sort(),
      )
      expect(refusal.hint).toContainEqual(suggest('appointments.cancel', { id: first.data.id! }))
    })

    it('is case-sensitive', async () => {
      const office = await officeWith()
      await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
      await office.run(bookAppointment, load({ referenceNumber: 'po-1' }))
    })

    it.each([
      ['cancelled', cancelAppointment],
      ['completed', completeAppointment],
    ])('is free again after its appointment is %s', async (_, end) => {
      const office = await officeWith()
      const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
      await office.run(end as typeof cancelAppointment, { id: data.id })
      await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
    })
  })

  describe('the current time', () => {
    it('excludes slots that begin before now', async () => {
      const office = await officeWith()
      office.at('2026-11-16T14:00:00.001Z')
      const { data } = await office.run(bookAppointment, load({ targetDate: '2026-11-16' }))
      expect(data.startTime).toBe('2026-11-16T14:15:00.000Z')
    })

    it('is followed by the lead time on any date', async () => {
      const office = await officeWith({ leadMinutes: 24 * 60, advanceToNextOpenDay: false })
      const refusal = await office.refusal(bookAppointment, load({ targetDate: '2026-11-16' }))
      expect(refusal).toMatchObject({ code: 'fully_booked', details: [{ reason: 'lead_time' }] })
      const { data } = await office.run(bookAppointment, load({ targetDate: '2026-11-17' }))
      expect(data.startTime).toBe('2026-11-17T14:00:00.000Z')
    })

    it("makes a date past that is over on the facility's own calendar", async () => {
      const office = await officeWith()
      office.at('2026-11-17T05:59:00Z') // Monday 23:59 in Chicago
      await office.run(bookAppointment, load({ targetDate: '2026-11-16' }))
      office.at('2026-11-17T06:00:00Z')
      expect(await office.refusal(bookAppointment, load({ targetDate: '2026-11-16' }))).toMatchObject({
        code: 'date_in_past',
        hint: 'Choose 2026-11-17 or a later date.',
        details: [{ path: 'targetDate' }],
      })
    })
  })

  it('respects the capacity of the facility across all doors', async () => {
    const office = await officeWith({ capacity: 1 })
    await office.run(bookAppointment, load())
    const { data } = await office.run(bookAppointment, load({ type: 'pickup' }))
    expect(data.startTime).toBe('2026-11-17T13:00:00.000Z')
  })

  it('counts the time of a completed appointment, but not of a cancelled one', async () => {
    const office = await officeWith(ONE_DOOR)
    const first = await office.run(bookAppointment, load())
    await office.run(completeAppointment, { id: first.data.id })
    const second = await office.run(bookAppointment, load())
    expect(second.data.startTime).toBe('2026-11-17T13:00:00.000Z')
    await office.run(cancelAppointment, { id: second.data.id })
    expect((await office.run(bookAppointment, load())).data.startTime).toBe('2026-11-17T13:00:00.000Z')
  })

  it('books a type only at doors and in windows that accept it', async () => {
    const office = await officeWith({
      doors: [{ name: 'Door 1', types: ['pickup'] }, { name: 'Door 2' }, { name: 'Door 3', active: false }],
    })
    expect((await office.run(bookAppointment, load())).data.doorName).toBe('Door 2')
    expect((await office.run(bookAppointment, load({ type: 'pickup' }))).data.doorName).toBe('Door 1')
    expect((await office.run(bookAppointment, load())).data.startTime).toBe('2026-11-17T13:00:00.000Z')
  })

  it('gives the last slot to one of many concurrent bookings', async () => {
    const office = await officeWith({
      ...ONE_DOOR,
      advanceToNextOpenDay: false,
      queues: [{ days: ['tue'], start: '06:00', end: '07:00' }],
    })
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => office.run(bookAppointment, load())))
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    expect(won).toHaveLength(1)
    expect(codes).toEqual(Array(19).fill('fully_booked'))
    expect(await office.run(listAppointments, { facilityCode: 'DC1', startDate: '2026-11-17' })).toHaveLength(1)
  })

  it('accepts one of many concurrent bookings with the same reference', async () => {
    const office = await officeWith()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  })

  describe('refuses as invalid', () => {
    it.each<[string, Record<string, unknown>, string]>([
      ['no facility', { facilityCode: undefined }, 'facilityId'],
      ['an ID that is none', { facilityCode: undefined, facilityId: 'DC1' }, 'facilityId'],
      ['another type', { type: 'return' }, 'type'],
      ['a blank carrier', { carrierName: '  ' }, 'carrierName'],
      ['a blank reference', { referenceNumber: '  ' }, 'referenceNumber'],
      ['a date that does not exist', { targetDate: '2026-11-31' }, 'targetDate'],
      ['a date in another form', { targetDate: '17.11.2026' }, 'targetDate'],
      ['a part of a pallet', { palletCount: 1.5 }, 'palletCount'],
      ['fewer than no pallets', { palletCount: -1 }, 'palletCount'],
      ['a length of nothing', { durationMinutes: 0 }, 'durationMinutes'],
      ['a number as text', { durationMinutes: '60' }, 'durationMinutes'],
      ['a weight below nothing', { weight: -1 }, 'weight'],
      ['two equipment numbers', { equipmentId: 'A', trailerId: 'B' }, 'trailerId'],
      ['an unknown field', { priority: 'high' }, 'priority'],
      ['a character that PostgreSQL cannot store', { carrierName: 'A\u0000B' }, 'carrierName'],
      [
        'half of a character, which would be another one when it is read',
        { referenceNumber: 'R\ud83d' },
        'referenceNumber',
      ],
    ])('%s', async (_, changes, path) => {
      const office = await officeWith()
      const refusal = await office.refusal(bookAppointment, load(changes))
      expect(refusal.code).toBe('invalid')
      expect(refusal.details.map((detail) => detail.path)).toContain(path)
    })
  })

  it('reports all invalid fields at once', async () => {
    const wrong = { facilityCode: undefined, type: 'return', equipmentId: 'A', trailerId: 'B' }
    const { details } = await (await officeWith()).refusal(bookAppointment, load(wrong))
    expect(details.map(({ path }) => path).sort()).toEqual(['facilityId', 'trailerId', 'type'])
  })

  it('accepts a character outside of the Basic Multilingual Plane', async () => {
    const { data } = await (await officeWith()).run(bookAppointment, load({ carrierName: 'Blue 📦' }))
    expect(data.carrierName).toBe('Blue 📦')
  })

  it('accepts equal values of equipmentId and trailerId', async () => {
    const office = await officeWith()
    const { data } = await office.run(bookAppointment, load({ equipmentId: 'A', trailerId: 'A' }))
    expect(data).toMatchObject({ equipmentId: 'A', trailerId: 'A' })
  })

  it('finds no facility for an unknown code, or for an ID and a code that do not match', async () => {
    const office = await officeWith()
    expect(await office.refusal(bookAppointment, load({ facilityCode: 'DC9' }))).toMatchObject({ code: 'not_found' })
    expect(await office.refusal(bookAppointment, load({ facilityCode: 'DC1', facilityId: UNKNOWN_ID }))).toMatchObject({
      code: 'not_found',
    })
  })

  it('reports the first of several errors: schema, past date, length, duplicate, slot', async () => {
    const office = await officeWith({ advanceToNextOpenDay: false })
    await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
    const wrong = {
      type: 'return',
      targetDate: '2026-11-15',
      durationMinutes: 999,
      referenceNumber: 'PO-1',
    }
    const codes = []
    const corrected = { ...wrong }
    for (const correction of [
      {},
      { type: 'pickup' },
      { targetDate: '2026-11-22' },
      { durationMinutes: 60 },
      { referenceNumber: 'PO-2' },
    ]) {
      Object.assign(corrected, correction)
      const { code, details } = await office.refusal(bookAppointment, load(corrected))
      codes.push(code === 'invalid' ? details[0]?.path : code)
    }
    expect(codes).toEqual(['type', 'date_in_past', 'durationMinutes', 'duplicate_reference', 'facility_closed'])
  })
})
