import type { DayProblem, PlanLimit, PlanTask } from '../../../src/docks/planning/rules/day-problem'
import { createRandom } from '../../../src/kernel/random'
import { MINUTE_MS } from '../../../src/kernel/time'

const SLOT_MINUTES = 15
const OPEN = 6 * 60
const CLOSE = 22 * 60

interface Booked {
  from: number
  minutes: number
  door: number
  needs: number
}

/**
 * A day at which things have gone wrong: at some time of the morning trucks are late, some stay longer at their doors, and a door fails for hours.
 * `load` is the share of the doors' time that is booked. With `isOnlyLate`, trucks are late and nothing else is wrong. Features of doors are bits.
 */
export function createRandomDay(
  seed: number,
  {
    doorCount = 20,
    appointments = 150,
    load = 0.85,
    isOnlyLate = false,
  }: { doorCount?: number; appointments?: number; load?: number; isOnlyLate?: boolean } = {},
): DayProblem {
  const random = createRandom(seed)
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const buffer = random() < 0.3 ? 5 : 0
  const features = Array.from({ length: doorCount }, () => (random() < 0.3 ? 1 : 0) | (random() < 0.2 ? 2 : 0))
  features[0] = 3
  const booked = bookDay({ features, appointments, load, buffer, random })
  const now = OPEN + int(1, 4) * 60
  const failed = { door: isOnlyLate ? -1 : int(0, doorCount - 1), from: now, to: now + int(2, 6) * 60 }
  const isClosed = (door: number, from: number, to: number) =>
    door === failed.door && from < failed.to && failed.from < to
  const tasks: PlanTask[] = []
  const fixed: DayProblem['fixed'][number][] = []
  for (const { from, minutes, door, needs } of booked) {
    if (from < now) {
      const end = from + minutes
      const until = !isOnlyLate && random() < 0.15 ? Math.max(end, now) + int(1, 6) * 10 : end
      if (until + buffer > now) fixed.push({ door, from: from * MINUTE_MS, to: until * MINUTE_MS })
      continue
    }
    const earliest = random() < 0.12 ? from + int(1, 10) * 15 : from
    const starts = []
    for (let start = OPEN; start + minutes <= CLOSE; start += SLOT_MINUTES) if (start >= earliest) starts.push(start)
    tasks.push({
      home: { start: from * MINUTE_MS, door },
      lengthMs: minutes * MINUTE_MS,
      weight: int(1, 3),
      places: starts
        .map((start) => ({
          start: start * MINUTE_MS,
          doors: features.flatMap((has, other) =>
            (has & needs) === needs && !isClosed(other, start, start + minutes) ? [other] : [],
          ),
        }))
        .filter(({ doors }) => doors.length > 0),
    })
  }
  const limits: PlanLimit[] = []
  if (random() < 0.3)
    limits.push({
      max: Math.ceil(doorCount * 0.95),
      isForOwnTime: false,
      periods: null,
      taskAmounts: tasks.map(() => 1),
      fixedAmounts: fixed.map(() => 1),
    })
  return { doorCount, bufferMs: buffer * MINUTE_MS, tasks, fixed, limits }
}

/** Appointments without a conflict, each at the first free door for a random wish. */
function bookDay({
  features,
  appointments,
  load,
  buffer,
  random,
}: {
  features: readonly number[]
  appointments: number
  load: number
  buffer: number
  random: () => number
}): Booked[] {
  const mean = (load * features.length * (CLOSE - OPEN)) / appointments
  const booked: Booked[] = []
  const isFree = (door: number, from: number, minutes: number) =>
    booked.every(
      (other) =>
        other.door !== door || other.from >= from + minutes + buffer || from >= other.from + other.minutes + buffer,
    )
  for (let tries = 0; booked.length < appointments && tries < appointments * 20; tries++) {
    const minutes = Math.max(2, Math.round(((0.4 + 1.2 * random()) * mean) / SLOT_MINUTES)) * SLOT_MINUTES - buffer
    const needs = (random() < 0.15 ? 1 : 0) | (random() < 0.1 ? 2 : 0)
    const wish = OPEN + Math.floor((random() * (CLOSE - OPEN - minutes)) / SLOT_MINUTES) * SLOT_MINUTES
    for (let from = wish; from + minutes <= CLOSE; from += SLOT_MINUTES) {
      const door = features.findIndex((has, other) => (has & needs) === needs && isFree(other, from, minutes))
      if (door < 0) continue
      booked.push({ from, minutes, door, needs })
      break
    }
  }
  return booked
}
