import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { colorsFor } from '../../../../commands/terminal/colors'
import { renderAppointments } from '../../../../commands/views/docks/appointment'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { showAvailability } from '../../../../src/docks/booking/operations/show-availability'
import { removeDoor } from '../../../../src/docks/facilities/operations/remove-door'
import { showBoard } from '../../../../src/docks/facilities/operations/show-board'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

const available = (office: DockOffice, asked: Record<string, unknown> = {}) =>
  office.run(showAvailability, { id: 'DC1', date: '2026-11-17', ...asked })

describe('the availability on a date', () => {
  const short = { queues: [{ days: ['tue'], start: '06:00', end: '07:30' }], breaks: [] }

  it('lists every possible start with the door that a booking would get', async () => {
    const office = await officeWith(short)
    await office.run(bookAppointment, load({ durationMinutes: 30 }))
    const answer = await available(office, { type: 'delivery', minutes: 60 })
    expect(answer).toMatchObject({ facilityCode: 'DC1', date: '2026-11-17', minutes: 60, reasons: [] })
    expect(answer.slots.map(({ localTime, doorName, freeDoors }) => [localTime, doorName, freeDoors])).toEqual([
      ['06:00', 'Door 2', 1],
      ['06:15', 'Door 2', 1],
      ['06:30', 'Door 1', 2],
    ])
    expect(answer.slots[0]).toMatchObject({
      startTime: '2026-11-17T12:00:00.000Z',
      endTime: '2026-11-17T13:00:00.000Z',
    })
  })

  it('covers both types by default, and reports why a group of doors has no free slot', async () => {
    const doors = [
      { name: 'In', types: ['delivery'] },
      { name: 'Out', types: ['pickup'] },
    ]
    const office = await officeWith({ ...short, doors })
    await office.run(bookAppointment, load({ durationMinutes: 90 }))
    const { slots, reasons } = await available(office)
    expect(new Set(slots.map(({ type }) => type))).toEqual(new Set(['pickup']))
    expect(reasons).toEqual([{ type: 'delivery', doors: ['In'], reason: 'full', message: 'all slots are taken' }])
  })

  it('is empty on a closed day, and refused for a past one', async () => {
    const office = await officeWith()
    expect(await available(office, { date: '2026-11-22', type: 'pickup' })).toMatchObject({
      slots: [],
      reasons: [{ reason: 'closed', doors: ['Door 1', 'Door 2'] }],
    })
    expect(await office.refusal(showAvailability, { id: 'DC1', date: '2026-11-15' })).toMatchObject({
      code: 'date_in_past',
      details: [{ path: 'date' }],
    })
    expect(await office.refusal(showAvailability, { id: 'DC1', minutes: 5 })).toMatchObject({
      details: [{ path: 'minutes' }],
    })
  })

  it('begins with the slot that a booking gets, whatever is booked', async () => {
    const step = fc.record({ minutes: fc.integer({ min: 15, max: 240 }), type: fc.constantFrom('pickup', 'delivery') })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const office = await officeWith({ capacity: 2, advanceToNextOpenDay: false })
        for (const { minutes, type } of steps) {
          const { slots, reasons } = await available(office, { minutes, type })
          const booking = load({ durationMinutes: minutes, type })
          if (slots.length === 0) {
            const refusal = await office.refusal(bookAppointment, booking)
            expect(refusal.details.map(({ reason }) => reason)).toEqual(reasons.map(({ reason }) => reason))
          } else {
            const { data } = await office.run(bookAppointment, booking)
            expect([data.startTime, data.doorName]).toEqual([slots[0]!.startTime, slots[0]!.doorName])
          }
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('the board', () => {
  const board = (office: DockOffice, date = '2026-11-17') => office.run(showBoard, { id: 'DC1', date })

  it('shows the hours and the appointments of each door, in the time of the facility', async () => {
    const office = await officeWith()
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'B-1' }))
    const cancelled = await office.run(bookAppointment, load())
    await office.run(cancelAppointment, { id: cancelled.data.id })
    const shown = await board(office)
    expect(shown).toMatchObject({ from: '2026-11-17T06:00:00.000Z', to: '2026-11-18T06:00:00.000Z' })
    expect(shown.hours).toHaveLength(24)
    expect(shown.doors[0]).toMatchObject({
      name: 'Door 1',
      open: [
        { from: '2026-11-17T12:00:00.000Z', to: '2026-11-17T18:00:00.000Z' },
        { from: '2026-11-17T18:30:00.000Z', to: '2026-11-18T00:00:00.000Z' },
      ],
      appointments: [{ id: data.id, localStart: '06:00', localEnd: '07:00', conflict: null }],
    })
    expect(shown.doors[1]!.appointments).toEqual([])
  })

  it('distinguishes the two passes of a repeated hour, as bookings, lists and the availability do', async () => {
    const office = await officeWith({
      queues: [{ days: ['sun'], start: '00:00', end: '04:00' }],
      doors: [{ name: 'Door 1' }],
    })
    office.at('2027-11-05T14:00:00Z')
    const messages: string[] = []
    for (let i = 0; i < 3; i++) {
      messages.push((await office.run(bookAppointment, load({ targetDate: '2027-11-07' }))).message)
    }
    const shown = await board(office, '2027-11-07')
    expect(shown.hours.slice(0, 4).map(({ clock }) => clock)).toEqual(['00:00', '01:00 CDT', '01:00 CST', '02:00'])
    const times = shown.doors[0]!.appointments.map(({ localStart, localEnd }) => `${localStart}-${localEnd}`)
    expect(times).toEqual(['00:00-01:00 CDT', '01:00 CDT-01:00 CST', '01:00 CST-02:00'])
    expect(messages[2]).toBe('Booked for 2027-11-07 01:00 CST (America/Chicago) at Door 1.')
    const list = await office.run(listAppointments, {
      facilityCode: 'DC1',
      startDate: '2027-11-07',
      endDate: '2027-11-07',
    })
    const text = renderAppointments(list, {
      colors: colorsFor('out', { isTty: false, env: {}, noColor: true }),
      width: null,
    })
    for (const when of ['2027-11-07 01:00 CDT', '2027-11-07 01:00 CST']) expect(text).toContain(when)
    const [second] = list.slice(1)
    await office.run(cancelAppointment, { id: second!.id })
    const { slots } = await office.run(showAvailability, { id: 'DC1', date: '2027-11-07', minutes: 60, type: 'pickup' })
    expect(slots[0]!.localTime).toBe('01:00 CDT')
  })

  it('includes appointments from the evening before, conflicts, and removed doors with appointments', async () => {
    const office = await officeWith({ queues: [{ days: ['tue'], start: '22:00', end: '02:00' }], breaks: [] })
    await office.run(bookAppointment, load({ durationMinutes: 240, referenceNumber: 'night' }))
    await office.run(removeDoor, { facilityCode: 'DC1', name: 'Door 1' })
    const { doors } = await board(office, '2026-11-18')
    expect(doors.map(({ name, active }) => [name, active])).toEqual([
      ['Door 2', true],
      ['Door 1', false],
    ])
    expect(doors[1]!.appointments).toMatchObject([{ referenceNumber: 'night', conflict: 'door_removed' }])
    expect(doors[0]!.open).toEqual([{ from: '2026-11-18T06:00:00.000Z', to: '2026-11-18T08:00:00.000Z' }])
  })

  it('reports no conflict for an appointment that has ended', async () => {
    const office = await officeWith()
    await office.run(bookAppointment, load())
    await office.run(removeDoor, { facilityCode: 'DC1', name: 'Door 1' })
    const conflictAt = async (instant: string) => {
      office.at(instant)
      return (await board(office)).doors[1]!.appointments[0]!.conflict
    }
    expect(await conflictAt('2026-11-17T12:59:00Z')).toBe('door_removed')
    expect(await conflictAt('2026-11-17T13:00:00Z')).toBeNull()
  })

  it.each([
    ['America/Chicago', '2027-03-14', 23],
    ['America/Chicago', '2027-11-07', 25],
    ['Australia/Lord_Howe', '2027-04-04', 25], // half an hour back at 02:00, so 02:00 is shown once and 01:30 twice
  ])('has the hours of %s on %s', async (timeZone, date, hours) => {
    const office = await officeWith()
    await office.run(updateFacility, { id: 'DC1', timeZone })
    const shown = await board(office, date)
    const spanHours = (Date.parse(shown.to) - Date.parse(shown.from)) / 3_600_000
    expect(Math.ceil(spanHours)).toBe(hours)
    for (const { at, clock } of shown.hours) {
      const local = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' }).format(new Date(at))
      expect(clock.slice(0, 5)).toBe(local)
      expect(clock).toMatch(/^\d\d:00/)
    }
  })

  it('refuses a date that the zone skipped', async () => {
    const office = await officeWith({ timeZone: 'Pacific/Apia' })
    expect(await office.refusal(showBoard, { id: 'DC1', date: '2011-12-30' })).toMatchObject({ code: 'invalid' })
  })
})
