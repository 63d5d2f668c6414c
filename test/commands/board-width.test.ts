import fc from 'fast-check'
import { expect, it } from 'vitest'
import { colorsFor } from '../../commands/terminal/colors'
import { textWidth } from '../../commands/terminal/wrap-text'
import type { Board } from '../../commands/views/board/extent'
import { renderTimeline } from '../../commands/views/board/timeline'

const HOUR_MS = 3_600_000
const MIDNIGHT = Date.parse('2026-11-17T00:00:00Z')
const colors = colorsFor('out', { isTty: false, env: {}, noColor: true })

const iso = (minutes: number) => new Date(MIDNIGHT + minutes * 60_000).toISOString()
const clockOf = (minutes: number) => iso(minutes).slice(11, 16)

const anyName = fc.oneof(
  fc.constantFrom('Door 1', 'Door 12', 'Door 123', 'Ramp 7 north', '門口一', 'Dock 📦', 'A'),
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
)

const anyAppointment = fc.record({
  start: fc.integer({ min: 0, max: 23 * 4 }).map((quarter) => quarter * 15),
  minutes: fc.constantFrom(5, 15, 30, 60, 120, 300),
  reference: anyName,
  carrier: anyName,
  state: fc.constantFrom('scheduled', 'completed'),
  isConflict: fc.boolean(),
})

const anyDoor = fc.record({
  name: anyName,
  active: fc.boolean(),
  open: fc.tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 24 })),
  appointments: fc.array(anyAppointment, { maxLength: 4 }),
})

const anyBoard = fc
  .record({ facility: anyName, closure: fc.option(anyName), doors: fc.array(anyDoor, { minLength: 1, maxLength: 4 }) })
  .map(({ facility, closure, doors }) => {
    const board = {
      ...{ facilityCode: 'DC1', facilityName: facility, timeZone: 'America/Argentina/ComodRivadavia' },
      ...{ date: '2026-11-17', from: iso(0), to: iso(24 * 60), closure, generatedAt: iso(0) },
      hours: Array.from({ length: 24 }, (_, hour) => ({ at: iso(hour * 60), clock: clockOf(hour * 60) })),
      doors: doors.map(({ name, active, open: [from, to], appointments }) => ({
        ...{ name, active, holds: [] },
        open: from < to ? [{ from: iso(from * 60), to: iso(to * 60) }] : [],
        appointments: appointments.map(({ start, minutes, reference, carrier, state, isConflict }) => ({
          ...{ type: 'delivery', status: state, step: null, conflict: isConflict ? 'outside_hours' : null },
          ...{ startTime: iso(start), endTime: iso(start + minutes), referenceNumber: reference, carrierName: carrier },
          ...{ localStart: clockOf(start), localEnd: clockOf(start + minutes) },
        })),
      })),
    }
    return board as unknown as Board
  })

it('the board has no line that is wider than the window, whatever the names, hours and appointments are', () => {
  fc.assert(
    fc.property(anyBoard, fc.integer({ min: 60, max: 200 }), (board, width) => {
      const lines = renderTimeline(board, { colors, width }).split('\n')
      expect(lines.filter((line) => textWidth(line) > width)).toEqual([])
    }),
    { numRuns: 150 },
  )
})

it.each([60, 80, 81, 100, 120, 160, 200])(
  'a day of any length is on the board from its first hour on, in at most three parts, at %i columns',
  (width) => {
    for (let length = 1; length <= 24; length += 1)
      for (const name of ['A', 'Door 12', 'A door with a long name']) {
        const board = boardOfHours(name, 24 - length)
        const text = renderTimeline(board, { colors, width })
        const lines = text.split('\n')
        expect([length, name, lines.filter((line) => textWidth(line) > width)]).toEqual([length, name, []])
        // Each line of hours begins a part, at the hour after the part before.
        const axes = lines.filter((line) => /^ +\d\d:00/.test(line)).map((line) => line.trim().split(/ +/))
        expect(axes[0]![0]).toBe(clockOf((24 - length) * 60))
        expect(axes.length).toBeLessThanOrEqual(3)
      }
  },
)

/** A door that is open from this hour until midnight. */
function boardOfHours(name: string, from: number): Board {
  const hours = Array.from({ length: 24 }, (_, hour) => ({ at: iso(hour * 60), clock: clockOf(hour * 60) }))
  return {
    ...{ facilityCode: 'DC1', facilityName: 'North', timeZone: 'Etc/UTC', date: '2026-11-17', closure: null },
    ...{ from: iso(0), to: new Date(MIDNIGHT + 24 * HOUR_MS).toISOString(), generatedAt: iso(0), hours },
    doors: [{ name, active: true, holds: [], open: [{ from: iso(from * 60), to: iso(24 * 60) }], appointments: [] }],
  } as unknown as Board
}
