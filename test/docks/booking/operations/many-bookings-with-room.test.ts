import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { listConflicts } from '../../../../src/docks/facilities/operations/list-conflicts'
import { load, NOW, officeWith } from '../../dock-fixtures'
import { expectApart, readDock } from '../room-oracle'

describe('many bookings that make room', () => {
  const doors = [
    { name: 'A', features: ['reefer', 'lift'] },
    { name: 'B', features: ['reefer'], types: ['delivery'] },
    { name: 'C', features: ['lift'], maxHeight: 150 },
    { name: 'D' },
  ]
  const booking = fc.record({
    slot: fc.integer({ min: 0, max: 11 }),
    length: fc.constantFrom(30, 60, 60, 90),
    type: fc.constantFrom('delivery', 'pickup'),
    requirements: fc.constantFrom([], [], ['reefer'], ['lift'], ['reefer', 'lift']),
    equipmentHeight: fc.constantFrom(null, 140, 160),
  })

  it('never leave two at a door, or one where it does not fit, also at once', async () => {
    let moved = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(booking, { minLength: 10, maxLength: 24 }),
        fc.constantFrom(0, 15),
        async (wanted, buffer) => {
          const office = await officeWith({ makeRoom: 'always', doors, bufferMinutes: buffer, breaks: [] })
          const toLoadAt = ({ slot, length, ...rest }: (typeof wanted)[number]) => {
            const minutes = 9 * 60 + slot * 15
            const startTime = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
            return load({ startTime, durationMinutes: length, ...rest })
          }
          const answers = await Promise.allSettled(wanted.map((one) => office.run(bookAppointment, toLoadAt(one))))
          const booked = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
          for (const answer of answers)
            if (answer.status === 'rejected') expect(answer.reason.code).toBe('slot_unavailable')
          moved += booked.flatMap(({ moves = [] }) => moves).length
          const list = await office.run(listAppointments, { facilityCode: 'DC1', startDate: '2026-11-17' })
          expect(list.map(({ id }) => id).sort()).toEqual(booked.map(({ data }) => data.id).sort())
          for (const { data } of booked)
            expect(list.find(({ id }) => id === data.id)).toMatchObject({
              startTime: data.startTime,
              endTime: data.endTime,
            })
          expectApart(await readDock(office.db, 'DC1', NOW))
          expect(await office.run(listConflicts, { id: 'DC1' })).toEqual([])
        },
      ),
      { numRuns: 12 },
    )
    expect(moved).toBeGreaterThan(10)
  })
})
