import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AddedSpan, DoorBoard, type Occupant } from '../../../../src/docks/booking/rules/door-board'
import { makeRoom, type RoomResult } from '../../../../src/docks/booking/rules/make-room'
import { RepairDoors } from '../../../../src/docks/booking/rules/repair-doors'

interface Booked {
  from: number
  to: number
  door: number
  /** The doors that can take it; null if it must stay. */
  fits: number[] | null
}

interface Day {
  doors: number
  buffer: number
  booked: Booked[]
  added: AddedSpan
}

const day: fc.Arbitrary<Day> = fc.integer({ min: 2, max: 5 }).chain((doors) => {
  const some = fc.subarray(
    Array.from({ length: doors }, (_, door) => door),
    { minLength: 1 },
  )
  const span = fc.tuple(fc.integer({ min: 0, max: 16 }), fc.integer({ min: 2, max: 6 }))
  return fc
    .record({
      buffer: fc.constantFrom(0, 0, 1),
      wanted: fc.array(fc.record({ span, some, stays: fc.nat(6).map((n) => n === 0) }), {
        minLength: 5,
        maxLength: 16,
      }),
      added: fc.record({ span, some }),
    })
    .map(({ buffer, wanted, added }) => {
      const booked: Booked[] = []
      for (const { span, some: fits, stays } of wanted) {
        const one = { from: span[0], to: span[0] + span[1] }
        const door = fits.find((door) => !booked.some((other) => other.door === door && areNear(one, other, buffer)))
        if (door !== undefined) booked.push({ ...one, door, fits: stays ? null : fits })
      }
      const [from, length] = added.span
      return { doors, buffer, booked, added: { from, to: from + length, doors: added.some } }
    })
})

type Span = { from: number; to: number }
const areNear = (one: Span, other: Span, buffer: number) => one.from < other.to + buffer && other.from < one.to + buffer

/** The least number of moves, by trying all doors of all appointments in the order of their starts; null if there is no rearrangement. */
function findTruth({ booked, added, buffer }: Day): number | null {
  const all = [...booked, { ...added, door: -1, fits: [...added.doors] }].sort((a, b) => a.from - b.from)
  let least: number | null = null
  const placed: (Span & { door: number })[] = []
  const tryFrom = (index: number, moves: number): void => {
    if (least !== null && moves >= least) return
    const one = all[index]
    if (one === undefined) {
      least = moves
      return
    }
    for (const door of new Set([...(one.door >= 0 ? [one.door] : []), ...(one.fits ?? [])])) {
      if (placed.some((other) => other.door === door && areNear(one, other, buffer))) continue
      placed.push({ from: one.from, to: one.to, door })
      tryFrom(index + 1, moves + (one.door >= 0 && door !== one.door ? 1 : 0))
      placed.pop()
    }
  }
  tryFrom(0, 0)
  return least
}

const toOccupants = ({ booked }: Day): Occupant[] =>
  booked.map(({ fits, ...one }) => ({ ...one, listDoors: fits === null ? null : () => fits }))

function search(one: Day, work = Number.POSITIVE_INFINITY): RoomResult {
  const rules = { occupants: toOccupants(one), doorCount: one.doors, bufferMs: one.buffer }
  const steps = makeRoom(rules, one.added, { left: work })
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function requireValid(one: Day, added: number, doorOf: (index: number) => number): void {
  const after = one.booked.map((booked, index) => ({ ...booked, door: doorOf(index) }))
  for (const [index, { door, fits }] of after.entries())
    if (door !== one.booked[index]!.door) expect(fits).toContain(door)
  expect(one.added.doors).toContain(added)
  const all = [...after, { ...one.added, door: added }]
  for (const a of all)
    for (const b of all) if (a !== b && a.door === b.door) expect(areNear(a, b, one.buffer)).toBe(false)
}

describe('the search for room', () => {
  it('finds the fewest moves, or that there are none, as a search of all arrangements does', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(day, (one) => {
        const found = search(one)
        const truth = findTruth(one)
        expect(found.door === null ? null : found.moves.size).toBe(truth)
        if (found.door === null) expect(found.isComplete).toBe(true)
        else requireValid(one, found.door, (index) => found.moves.get(index) ?? one.booked[index]!.door)
        seen.add(truth === null ? 'none' : truth > 2 ? 'many' : String(truth))
      }),
      { numRuns: 500 },
    )
    expect([...seen].sort()).toEqual(['0', '1', '2', 'many', 'none'])
  })

  it('never says that there is none when it was ended', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 60 }), (one, work) => {
        const found = search(one, work)
        if (found.door !== null)
          requireValid(one, found.door, (index) => found.moves.get(index) ?? one.booked[index]!.door)
        else if (found.isComplete) expect(findTruth(one)).toBeNull()
      }),
    )
  })

  it('finds by repairs alone what exists, almost always with the fewest moves', () => {
    let [existing, found, moves, least] = [0, 0, 0, 0]
    fc.assert(
      fc.property(day, (one) => {
        const truth = findTruth(one)
        const at = new RepairDoors(new DoorBoard(toOccupants(one), one.added, one.buffer), one.doors, {
          left: 50_000,
        }).find()
        if (at === null) {
          if (truth !== null) existing++
          return
        }
        requireValid(one, at[one.booked.length]!, (index) => at[index]!)
        existing++
        found++
        moves += one.booked.filter(({ door }, index) => at[index] !== door).length
        least += truth!
      }),
      { numRuns: 300 },
    )
    expect(found / existing).toBeGreaterThanOrEqual(0.99)
    expect(moves / least).toBeLessThanOrEqual(1.1)
  })
})
