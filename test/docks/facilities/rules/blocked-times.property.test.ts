import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addBlockedTime, removeBlockedTime } from '../../../../src/docks/facilities/rules/blocked-times'
import type { BlockedTime } from '../../../../src/docks/facilities/rules/facility'

const doorNames = ['A', 'B', 'C']
const HOUR = 3_600_000
const at = (hour: number) => new Date(hour * HOUR).toISOString()
const blockedTime: fc.Arbitrary<BlockedTime> = fc
  .tuple(fc.nat(9), fc.integer({ min: 1, max: 5 }), fc.option(fc.subarray(doorNames, { minLength: 1 })))
  .map(([from, length, doors]) => ({ from: at(from), to: at(from + length), doors, reason: null }))

/** `A 3` for each door and hour that is blocked. */
const listHours = (blocked: readonly BlockedTime[]) =>
  new Set(
    blocked.flatMap(({ from, to, doors }) =>
      (doors ?? doorNames).flatMap((door) =>
        Array.from(
          { length: (Date.parse(to) - Date.parse(from)) / HOUR },
          (_, i) => `${door} ${Date.parse(from) / HOUR + i}`,
        ),
      ),
    ),
  )

it('blocks and unblocks exactly the given hours of the given doors', () => {
  const change = fc.record({ adds: fc.boolean(), time: blockedTime })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      let blocked: BlockedTime[] = []
      let expected = new Set<string>()
      for (const { adds, time } of changes) {
        const hours = listHours([time])
        blocked = adds ? addBlockedTime(blocked, time) : removeBlockedTime(blocked, time, doorNames)
        expected = new Set(adds ? [...expected, ...hours] : [...expected].filter((hour) => !hours.has(hour)))
        expect(listHours(blocked)).toEqual(expected)
        expect(blocked.every(({ from, to, doors }) => from < to && doors?.length !== 0)).toBe(true)
      }
    }),
  )
})
