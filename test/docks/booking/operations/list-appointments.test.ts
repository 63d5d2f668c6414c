import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { findAppointments } from '../../../../src/docks/booking/operations/find-appointments'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { weekdays } from '../../../../src/docks/facilities/rules/facility'
import { completeAppointment } from '../../../../src/docks/visits/operations/complete-appointment'
import { DC1, type DockOffice, load, officeWith } from '../../dock-fixtures'

const list = (office: DockOffice, query: Record<string, unknown> = {}) =>
  office.run(listAppointments, { facilityCode: 'DC1', ...query })

const references = async (office: DockOffice, query: Record<string, unknown> = {}) =>
  (await list(office, query)).map((appointment) => appointment.referenceNumber)

describe('listing appointments', () => {
  it('returns each appointment exactly as documented, plus the fields that calendars need', async () => {
    const office = await officeWith()
    const { data } = await office.run(
      bookAppointment,
      load({ referenceNumber: 'PO-1', weight: 900, equipmentId: 'T1', targetDate: '2026-11-16' }),
    )
    expect(await list(office)).toEqual([
      {
        id: data.id,
        facilityId: data.facilityId,
        doorId: data.doorId,
        doorName: 'Door 1',
        type: 'delivery',
        startTime: '2026-11-16T14:00:00.000Z',
        endTime: '2026-11-16T15:00:00.000Z',
        carrierName: 'Blue Freight',
        referenceNumber: 'PO-1',
        references: [{ number: 'PO-1', pallets: null, pieces: null }],
        status: 'scheduled',
        step: null,
        palletCount: null,
        pieceCount: null,
        weight: 900,
        loadDescription: null,
        requirements: [],
        equipmentHeight: null,
        contactEmails: [],
        contactPhone: null,
        customFields: {},
        siteFields: {},
        facilityName: 'North',
        facilityCode: 'DC1',
        durationMinutes: 60,
        equipmentId: 'T1',
        trailerId: 'T1',
        timeZone: 'America/Chicago',
        pinned: false,
        sequence: 0,
        updatedAt: '2026-11-16T14:00:00.000Z',
      },
    ])
  })

  it('is empty if nothing matches', async () => {
    expect(await list(await officeWith())).toEqual([])
  })

  it('reads no more than the window of a page, with the length of the whole list', async () => {
    const office = await officeWith()
    for (let i = 0; i < 6; i++) await office.run(bookAppointment, load({ referenceNumber: `PO-${i}` }))
    const query = { startDate: '2026-11-16', endDate: '2026-11-18' }
    const whole = await list(office, query)
    const windowed = (from: string | null, count: number) => {
      const readWindow: typeof listAppointments.run = async (ctx, input) => {
        const found = await listAppointments.readWindow!(ctx, input, { from: from === null ? null : [from], count })
        expect(found.total).toBe(whole.length)
        return found.entries
      }
      return office.run({ ...listAppointments, run: readWindow }, { facilityCode: 'DC1', ...query })
    }
    expect(await windowed(null, 3)).toEqual(whole.slice(0, 3))
    const { startTime } = whole[3]!
    const at = whole.findIndex((appointment) => appointment.startTime === startTime)
    expect(await windowed(startTime, 2)).toEqual(whole.slice(at, at + 2))
    expect(await windowed('2026-11-19T00:00:00.000Z', 2)).toEqual([])
  })

  it('orders by start, then by door position', async () => {
    const office = await officeWith({ doors: [{ name: 'Z' }, { name: 'A' }] })
    for (const referenceNumber of ['1', '2', '3']) await office.run(bookAppointment, load({ referenceNumber }))
    const listed = await list(office, { startDate: '2026-11-17' })
    expect(listed.map(({ referenceNumber, doorName }) => referenceNumber + doorName)).toEqual(['1Z', '2A', '3Z'])
  })

  it('assigns an appointment to the date on which it starts at the facility', async () => {
    const office = await officeWith({ queues: [{ days: ['tue'], start: '22:00', end: '03:00' }], breaks: [] })
    // 22:00 on Tuesday in Chicago is Wednesday by UTC; the second starts on Wednesday, in a window of Tuesday.
    await office.run(bookAppointment, load({ referenceNumber: 'late' }))
    await office.run(bookAppointment, load({ referenceNumber: 'after', targetDate: '2026-11-18' }))
    expect(await references(office, { startDate: '2026-11-17', endDate: '2026-11-17' })).toEqual(['late'])
    expect(await references(office, { startDate: '2026-11-18', endDate: '2026-11-18' })).toEqual(['after'])
  })

  it('respects the dates also if the clock is set back over midnight', async () => {
    const office = await officeWith({
      timeZone: 'America/St_Johns', // at 00:01 of 7 November the clock went back to 23:01 of the 6th
      queues: [{ days: ['sat', 'sun'], start: '00:00', end: '24:00' }],
      slotMinutes: 1,
    })
    office.at('2010-11-01T12:00:00Z')
    await office.run(bookAppointment, load({ targetDate: '2010-11-07', referenceNumber: 'first minute' }))
    expect(await references(office, { startDate: '2010-11-06', endDate: '2010-11-06' })).toEqual([])
    expect(await references(office, { startDate: '2010-11-07', endDate: '2010-11-07' })).toEqual(['first minute'])
  })

  it('covers only today if no date is given', async () => {
    const office = await officeWith()
    for (const date of ['2026-11-16', '2026-11-17']) {
      await office.run(bookAppointment, load({ referenceNumber: date, targetDate: date }))
    }
    expect(await references(office)).toEqual(['2026-11-16'])
    office.at('2026-11-18T05:59:00Z') // still Tuesday there
    expect(await references(office)).toEqual(['2026-11-17'])
  })

  it.each([
    ['from an earlier start up to today', { startDate: '2026-11-16' }, ['16', '17']],
    ['a later start alone', { startDate: '2026-11-19' }, ['19']],
    ['from today up to the end', { endDate: '2026-11-19' }, ['17', '18', '19']],
  ])('covers %s', async (_, query, expected) => {
    const office = await officeWith()
    for (const day of ['16', '17', '18', '19', '20']) {
      await office.run(bookAppointment, load({ referenceNumber: day, targetDate: `2026-11-${day}` }))
    }
    office.at('2026-11-17T18:00:00Z')
    expect(await references(office, query)).toEqual(expected)
  })

  it('lists the scheduled appointment of a reference first, then the others by start', async () => {
    const office = await officeWith()
    const book = async (targetDate: string) =>
      (await office.run(bookAppointment, load({ referenceNumber: 'PO-1', targetDate }))).data.id
    const end = { cancelled: cancelAppointment, completed: completeAppointment }
    for (const [date, how] of [
      ['2026-11-17', 'cancelled'],
      ['2026-11-24', 'completed'],
    ] as const)
      await office.run(end[how] as typeof cancelAppointment, { id: await book(date) })
    await book('2026-11-19')
    const found = (await list(office, { referenceNumber: 'PO-1' })).map(({ status }) => status)
    expect(found).toEqual(['scheduled', 'cancelled', 'completed'])
  })

  it('searches a reference on all dates, unless dates are given', async () => {
    const office = await officeWith()
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1', targetDate: '2026-12-24' }))
    await office.run(cancelAppointment, { id: data.id })
    await office.run(bookAppointment, load({ referenceNumber: 'PO-1', targetDate: '2028-02-29' }))
    await office.run(bookAppointment, load({ referenceNumber: 'PO-2' }))
    const found = await list(office, { referenceNumber: ' PO-1 ' })
    expect(found.map(({ startTime, status }) => [startTime.slice(0, 10), status])).toEqual([
      ['2028-02-29', 'scheduled'],
      ['2026-12-24', 'cancelled'],
    ])
    expect(await references(office, { referenceNumber: 'PO-1', endDate: '2026-12-24' })).toEqual(['PO-1'])
    expect(await references(office, { referenceNumber: 'po-1' })).toEqual([])
  })

  it('filters by status', async () => {
    const office = await officeWith()
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'gone' }))
    await office.run(bookAppointment, load({ referenceNumber: 'there' }))
    await office.run(cancelAppointment, { id: data.id })
    const day = { startDate: '2026-11-17' }
    expect(await references(office, { ...day, status: 'cancelled' })).toEqual(['gone'])
    expect(await references(office, { ...day, status: 'scheduled' })).toEqual(['there'])
    expect(await references(office, day)).toEqual(['gone', 'there'])
    expect((await office.refusal(listAppointments, { facilityCode: 'DC1', status: 'open' })).code).toBe('invalid')
  })

  it('shows a rescheduled appointment on its new date', async () => {
    const office = await officeWith()
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
    await office.run(rescheduleAppointment, { id: data.id, targetDate: '2026-11-18' })
    expect(await references(office, { startDate: '2026-11-17', endDate: '2026-11-17' })).toEqual([])
    expect(await references(office, { startDate: '2026-11-18' })).toEqual(['PO-1'])
  })

  it.each([
    [
      'an end before the start',
      { startDate: '2026-11-20', endDate: '2026-11-19' },
      'not be before the first date, 2026-11-20',
    ],
    ['an end before today, which is the start', { endDate: '2026-11-15' }, 'not be before the first date, 2026-11-16'],
    ['more than 366 dates', { startDate: '2027-01-01', endDate: '2028-01-02' }, 'not be after 2028-01-01'],
    ['more than 366 dates up to today', { startDate: '2025-01-01' }, 'not be after 2026-01-01'],
  ])('refuses %s, and says what is valid', async (_, query, message) => {
    const office = await officeWith()
    const refusal = await office.refusal(listAppointments, { facilityCode: 'DC1', ...query })
    expect(refusal).toMatchObject({
      code: 'invalid',
      details: [{ path: 'endDate', message: expect.stringContaining(message) }],
    })
  })

  it('accepts 366 dates', async () => {
    expect(await list(await officeWith(), { startDate: '2027-01-01', endDate: '2028-01-01' })).toEqual([])
  })

  it('requires an existing facility', async () => {
    const office = await officeWith()
    expect((await office.refusal(listAppointments, {})).details[0]?.path).toBe('facilityId')
    expect((await office.refusal(listAppointments, { facilityCode: 'DC9' })).code).toBe('not_found')
  })
})

describe('narrowing a list down', () => {
  it('finds a trailer, a carrier, a type, and what has changed since', async () => {
    const office = await officeWith()
    const dates = { startDate: '2026-11-17', endDate: '2026-11-17' }
    const book = async (changes: Record<string, unknown>) =>
      (await office.run(bookAppointment, load({ targetDate: '2026-11-17', ...changes }))).data.id
    const ids = [
      await book({ carrierName: 'Red', equipmentId: '53-1', type: 'pickup' }),
      await book({ carrierName: 'Blue', equipmentId: '53-2', type: 'delivery' }),
    ]
    office.at('2026-11-16T15:00:00Z')
    await office.run(cancelAppointment, { id: ids[1]! })
    for (const [filter, found] of [
      [{ carrierName: 'Red' }, ids[0]],
      [{ equipmentId: '53-2' }, ids[1]],
      [{ type: 'pickup' }, ids[0]],
      [{ updatedSince: '2026-11-16T08:30:00-06:00' }, ids[1]],
    ] as const)
      expect((await list(office, { ...dates, ...filter })).map(({ id }) => id)).toEqual([found])
    expect(await list(office, { ...dates, carrierName: 'Red', type: 'delivery' })).toEqual([])
  })

  it('at all facilities uses the dates of each, and covers a month at most', async () => {
    const office = await officeWith()
    await office.run(createFacility, { ...DC1, code: 'SYD', timeZone: 'Australia/Sydney' })
    const book = async (facilityCode: string, targetDate: string) =>
      (await office.run(bookAppointment, load({ facilityCode, targetDate, equipmentId: '53-7' }))).data.id
    const sydney = await book('SYD', '2026-11-18')
    const chicago = await book('DC1', '2026-11-17')
    await book('DC1', '2026-11-18')
    const today = { equipmentId: '53-7', startDate: '2026-11-17', endDate: '2026-11-17' }
    expect((await office.run(findAppointments, today)).map(({ id }) => id)).toEqual([chicago])
    const both = await office.run(findAppointments, { ...today, endDate: '2026-11-18' })
    expect(both.map(({ id }) => id).slice(0, 2)).toEqual([chicago, sydney])
    expect(both.map(({ facilityCode }) => facilityCode)).toEqual(['DC1', 'SYD', 'DC1'])
    expect(
      (await office.refusal(findAppointments, { startDate: '2026-11-01', endDate: '2026-12-02' })).details,
    ).toMatchObject([{ path: 'endDate' }])
  })

  it('look up a trailer or a carrier on the next dates too, and all else today', async () => {
    const office = await officeWith({ queues: [{ days: [...weekdays], start: '06:00', end: '18:00' }] })
    const trailer = { equipmentId: '53-7', carrierName: 'Far Freight' }
    const book = async (targetDate: string) =>
      (await office.run(bookAppointment, load({ ...trailer, targetDate }))).data.id
    const [soon, last] = [await book('2026-11-19'), await book('2026-12-16')]
    await book('2026-12-17')
    const find = async (filter: object) => (await office.run(findAppointments, filter)).map(({ id }) => id)
    expect(await find({ equipmentId: '53-7' })).toEqual([soon, last])
    expect(await find({ carrierName: 'Far Freight' })).toEqual([soon, last])
    expect(await find({ equipmentId: '53-7', endDate: '2026-11-30' })).toEqual([soon])
    expect(await find({ equipmentId: '53-7', startDate: '2026-10-21' })).toEqual([soon])
    expect(await find({ type: 'delivery' })).toEqual([])
  })
})
