import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../src/docks/booking/operations/book-appointment'
import { showAvailability } from '../../src/docks/booking/operations/show-availability'
import { load, officeWith } from './dock-fixtures'

const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const daily = (start: string, end: string) => ({ queues: [{ days: week, start, end }], breaks: [] })
const ONE_DOOR = { doors: [{ name: 'A' }], advanceToNextOpenDay: false }

async function startsOn(date: string, facility: Record<string, unknown>, minutes = 60): Promise<string[]> {
  const office = await officeWith({ ...ONE_DOOR, ...facility })
  office.at(`${date.slice(0, 4)}-01-01T00:00:00Z`)
  const { slots } = await office.run(showAvailability, { id: 'DC1', date, type: 'pickup', minutes })
  return slots.map(({ startTime }) => startTime.slice(0, 16))
}

/** Common bugs of booking engines. */
describe('a booking is not', () => {
  it('refused because another appointment ends when it starts, or starts when it ends', async () => {
    const office = await officeWith({ ...ONE_DOOR, ...daily('06:00', '09:00') })
    const starts = []
    for (let i = 0; i < 3; i++) starts.push((await office.run(bookAppointment, load())).data.startTime.slice(11, 16))
    expect(starts).toEqual(['12:00', '13:00', '14:00'])
    expect((await office.refusal(bookAppointment, load())).code).toBe('fully_booked')
  })

  it('shifted by twelve hours on the day of a clock change', async () => {
    const office = await officeWith({ ...ONE_DOOR, ...daily('12:00', '13:00') })
    const noon = async (targetDate: string) => (await office.run(bookAppointment, load({ targetDate }))).data.startTime
    expect(await noon('2027-03-14')).toBe('2027-03-14T17:00:00.000Z')
    expect(await noon('2027-11-07')).toBe('2027-11-07T18:00:00.000Z')
  })

  it('refused the last slot before midnight', async () => {
    expect(await startsOn('2027-06-01', { ...daily('22:00', '24:00'), timeZone: 'Etc/UTC' })).toEqual(
      ['22:00', '22:15', '22:30', '22:45', '23:00'].map((time) => `2027-06-01T${time}`),
    )
  })

  it('shifted by the zone of the machine', async () => {
    const zone = process.env['TZ']
    try {
      for (const own of ['Asia/Kolkata', 'America/Los_Angeles', 'Etc/UTC']) {
        process.env['TZ'] = own
        expect(await startsOn('2027-06-01', { ...daily('06:00', '07:00'), timeZone: 'Asia/Tokyo' })).toEqual([
          '2027-05-31T21:00',
        ])
      }
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })

  it('refused because it spans two windows that touch', async () => {
    const queues = [
      { days: week, start: '06:00', end: '07:00' },
      { days: week, start: '07:00', end: '08:00' },
    ]
    expect(await startsOn('2027-06-01', { queues, breaks: [], timeZone: 'Etc/UTC' }, 120)).toEqual(['2027-06-01T06:00'])
  })

  it('placed across two windows for different types', async () => {
    const queues = [
      { days: week, start: '06:00', end: '07:00', types: ['pickup'] },
      { days: week, start: '07:00', end: '08:00', types: ['delivery'] },
    ]
    expect(await startsOn('2027-06-01', { queues, breaks: [], timeZone: 'Etc/UTC' }, 120)).toEqual([])
  })

  it('lost in a half hour that occurs twice or not at all', async () => {
    const half = { ...daily('01:00', '03:00'), timeZone: 'Australia/Lord_Howe', slotMinutes: 30 }
    // On 4 April the clock goes from 02:00 back to 01:30: 01:30 occurs twice, half an hour apart.
    expect(await startsOn('2027-04-04', half, 30)).toEqual([
      '2027-04-03T14:00',
      '2027-04-03T14:30',
      '2027-04-03T15:00',
      '2027-04-03T15:30',
      '2027-04-03T16:00',
    ])
    // On 3 October it goes from 02:00 to 02:30.
    expect(await startsOn('2027-10-03', half, 30)).toEqual(['2027-10-02T14:30', '2027-10-02T15:00', '2027-10-02T15:30'])
  })

  it('lost on a day without a midnight', async () => {
    const starts = await startsOn('2026-04-24', { ...daily('00:00', '03:00'), timeZone: 'Africa/Cairo' })
    expect(starts[0]).toBe('2026-04-23T22:00') // 01:00 there, the first moment of the date
    expect(starts.at(-1)).toBe('2026-04-23T23:00')
  })

  it('cut at midnight or assigned to the wrong date', async () => {
    const night = { ...daily('23:00', '01:00'), timeZone: 'Etc/UTC' }
    expect(await startsOn('2027-06-02', night, 120)).toEqual(['2027-06-02T23:00'])
    expect(await startsOn('2027-06-02', night, 30)).toEqual(
      ['02T00:00', '02T00:15', '02T00:30', '02T23:00', '02T23:15', '02T23:30', '02T23:45'].map(
        (time) => `2027-06-${time}`,
      ),
    )
  })

  it('longer or shorter than requested across a clock change', async () => {
    const office = await officeWith({ ...ONE_DOOR, ...daily('01:00', '06:00') })
    for (const targetDate of ['2027-03-14', '2027-11-07']) {
      const { data } = await office.run(bookAppointment, load({ targetDate, durationMinutes: 180 }))
      expect(Date.parse(data.endTime) - Date.parse(data.startTime)).toBe(180 * 60_000)
    }
  })
})
