import type { AddedSpan, Occupant } from '../../src/docks/booking/rules/door-board'
import { makeRoom, type RoomResult } from '../../src/docks/booking/rules/make-room'
import { createRandom } from '../../src/kernel/random'
import { MINUTE_MS } from '../../src/kernel/time'
import { printFigure } from './figures'
import { findFewestMoves } from './room-truth'

const DAYS = 500
const FEATURES = ['reefer', 'hazmat', 'lift', 'flatbed']
const DAY_MINUTES = 720
const MOST_DOORS = 40

interface Load {
  from: number
  to: number
  type: number
  needs: string[]
  height: number
  stays: boolean
}

interface Door {
  types: number[]
  features: string[]
  maxHeight: number | null
}

interface Search {
  ms: number
  doors: number
  occupants: readonly Occupant[]
  rules: { doorCount: number; bufferMs: number }
  added: AddedSpan
  result: RoomResult
}

/** An exact solver checks the moves of one of so many refusals. */
const TRUTH_EVERY = 250

/**
 * The search for room on random days of 10 to 40 doors with requirements, ten requests per door, each at a wished time. A request whose doors are
 * all taken is refused, and the search looks for room for it.
 */
export async function roomSearches(): Promise<void> {
  const random = createRandom(1)
  const all: Search[] = []
  for (let day = 0; day < DAYS; day++)
    all.push(...searchOnDay(10 + Math.floor((day * (MOST_DOORS - 9)) / DAYS), random))
  const isDecided = ({ result }: (typeof all)[number]) => result.door !== null || result.isComplete
  const share = (list: typeof all, matches: (one: (typeof all)[number]) => boolean) =>
    list.filter(matches).length / list.length
  printFigure({ name: `refusals on ${DAYS} days`, value: all.length, unit: '' })
  printFigure({
    name: '  of which others at other doors make room',
    value: share(all, ({ result }) => result.door !== null),
    unit: '',
  })
  printFigure({
    name: 'refusals that the search for room decides',
    value: share(all, isDecided),
    unit: '',
    atLeast: 0.99,
  })
  const atMostDoors = all.filter(({ doors }) => doors > MOST_DOORS - 5).map(({ ms }) => ms)
  atMostDoors.sort((a, b) => a - b)
  const p99 = atMostDoors[Math.floor(atMostDoors.length * 0.99)]!
  printFigure({ name: `search for room at ${MOST_DOORS} doors, p99`, value: p99, unit: 'ms', atMost: 50 })
  await compareWithTruth(all)
}

/**
 * Whether the search finds what an exact solver finds, and with how many more moves. What it says after a complete search is certain, so the
 * solver looks at all refusals that it does not decide, and at a sample of the others.
 */
async function compareWithTruth(all: readonly Search[]): Promise<void> {
  const found = all.filter(({ result }) => result.door !== null)
  let missed = 0
  for (const { occupants, rules, added } of all.filter(({ result }) => result.door === null && !result.isComplete))
    if ((await findFewestMoves(occupants, rules, added)) !== null) missed++
  let [moves, fewest] = [0, 0]
  for (const [index, { result, occupants, rules, added }] of all.entries()) {
    if (index % TRUTH_EVERY !== 0 || (result.door === null && !result.isComplete)) continue
    const least = await findFewestMoves(occupants, rules, added)
    if ((least === null) !== (result.door === null)) throw new Error('The search and the solver disagree.')
    if (result.door === null) continue
    moves += result.moves.size
    fewest += least!
  }
  const share = found.length / (found.length + missed)
  printFigure({
    name: 'rearrangements that the search finds of those that exist',
    value: share,
    unit: '',
    decimals: 4,
    atLeast: 0.99,
  })
  printFigure({ name: '  its moves ÷ the fewest, in a sample', value: moves / fewest, decimals: 3, atMost: 1.1 })
}

function searchOnDay(doorCount: number, random: () => number): Search[] {
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const pick = <Value>(list: readonly Value[]): Value => list[int(0, list.length - 1)]!
  const bufferMs = pick([0, 0, 5, 10]) * MINUTE_MS
  const doors = Array.from({ length: doorCount }, (): Door => {
    const features = FEATURES.filter(() => random() < 0.3)
    return { types: pick([[0], [1], [0, 1], [0, 1]]), features, maxHeight: pick([null, null, null, 150]) }
  })
  const booked: (Load & { door: number })[] = []
  const searches: Search[] = []
  for (let request = 0; request < doorCount * 10; request++) {
    const minutes = pick([30, 45, 60, 60, 60, 90, 120])
    const from = int(0, (DAY_MINUTES - minutes) / 15) * 15 * MINUTE_MS
    const needs = random() < 0.6 ? [] : FEATURES.filter(() => random() < 0.25)
    const height = random() < 0.7 ? 0 : pick([140, 160])
    const load: Load = { from, to: from + minutes * MINUTE_MS, type: int(0, 1), needs, height, stays: random() < 0.1 }
    const isNear = (other: Load) => other.from < load.to + bufferMs && load.from < other.to + bufferMs
    const fitting = listFitting(doors, load)
    const free = fitting.find((door) => !booked.some((other) => other.door === door && isNear(other)))
    if (free !== undefined) booked.push({ ...load, door: free })
    else if (fitting.length > 0) {
      const occupants = booked.map(
        (one): Occupant => ({ ...one, listDoors: one.stays ? null : () => listFitting(doors, one) }),
      )
      const search = { occupants, rules: { doorCount, bufferMs }, added: { ...load, doors: fitting } }
      searches.push({ doors: doorCount, ...search, ...measure(occupants, search.rules, search.added) })
    }
  }
  return searches
}

function listFitting(doors: readonly Door[], { type, needs, height }: Load): number[] {
  return [...doors.keys()].filter((index) => {
    const { types, features, maxHeight } = doors[index]!
    const isLow = maxHeight !== null && height > maxHeight
    return !isLow && types.includes(type) && needs.every((need) => features.includes(need))
  })
}

function measure(
  occupants: readonly Occupant[],
  rules: { doorCount: number; bufferMs: number },
  added: Parameters<typeof makeRoom>[1],
): { ms: number; result: RoomResult } {
  const startedAt = performance.now()
  const search = makeRoom({ occupants, ...rules }, added, { left: 1_000_000 })
  for (;;) {
    const step = search.next()
    if (step.done) return { ms: performance.now() - startedAt, result: step.value }
  }
}
