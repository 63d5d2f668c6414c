import { DAY_MS, type DayNumber, formatDate, HOUR_MS, MINUTE_MS } from '../../../kernel/time'
import type { Span } from '../../booking/rules/spans'
import type { AppointmentStatus } from '../../facilities/rules/facility'
import { listOffsetPeriods } from '../../rules/zoned-time'
import { type AppointmentStep, isCalledOff } from '../../visits/rules/appointment-steps'
import type { Arrival, VisitTimes } from '../../visits/rules/visit-times'
import { compareNames, type Spread, spreadOf } from './spread'

/** An appointment, as far as figures depend on it. Times are epoch milliseconds. */
export interface CountedAppointment extends Span {
  doorId: string
  doorName: string
  status: AppointmentStatus
  step: AppointmentStep | null
  carrierName: string
  palletCount: number | null
  createdAt: number
  visit: VisitTimes
}

export interface Counts {
  /** Booked and not cancelled, except to release the slot of a truck that did not come. */
  appointments: number
  completed: number
  cancelled: number
  noShows: number
  turnedAway: number
  pallets: number
}

/** How much of the open time is booked. Minutes of the facility's clock. */
export interface Usage {
  openMinutes: number
  bookedMinutes: number
  /** From 0; null without open time. More than 1 if hours were shortened after the bookings. */
  utilization: number | null
}

export interface Punctuality {
  early: number
  onTime: number
  late: number
  /** On time or early, of those with a recorded arrival. */
  onTimeShare: number | null
}

/** Trucks that stayed beyond their free time, and how long all of them together. */
export interface Detention {
  detained: number
  detentionMinutes: number
}

export interface DockFigures {
  totals: Counts & Usage
  days: (Counts & Usage & { date: string })[]
  doors: (Counts & Usage & { id: string; name: string; hours: (Usage & { hour: number })[] })[]
  carriers: (Counts & Punctuality & Detention & { name: string; noShowShare: number | null; dwellMinutes: Spread })[]
  arrivals: Punctuality & { minutesAfterStart: Spread }
  waitMinutes: Spread
  turnMinutes: Spread
  dwellMinutes: Spread
  detention: Detention
  /** From the booking to the start. */
  leadHours: Spread
}

interface NamedDoor {
  id: string
  name: string
}

/** Open time of doors on a date. */
export interface OpenTime {
  /** The same array for all dates, because the hours of its doors are summed up once for all of them. */
  doors: readonly NamedDoor[]
  day: DayNumber
  spans: readonly Span[]
}

/**
 * Sums up appointments and open times of one facility, in any order. An appointment belongs to the date on which it starts, with its whole
 * length; a cancelled one books no time, a truck that did not come does. A carrier is known by its name.
 */
export class DockFigureSums {
  readonly #timeZone: string
  readonly #totals = new Sum()
  readonly #days = new Map<DayNumber, Sum>()
  readonly #doors = new Map<string, { name: string; sum: Sum; hours: Map<number, Sum> }>()
  readonly #open = new Map<readonly NamedDoor[], { ms: number; byHour: Map<number, number> }>()
  readonly #carriers = new Map<string, { sum: Sum; arrivals: Arrival[]; dwell: number[]; detention: Detention }>()
  readonly #arrivals: Arrival[] = []
  readonly #lateness: number[] = []
  readonly #wait: number[] = []
  readonly #turn: number[] = []
  readonly #dwell: number[] = []
  readonly #detention: Detention = { detained: 0, detentionMinutes: 0 }
  readonly #lead: number[] = []

  /** @param doors those that the figures list first, in this order, also without appointments or open time */
  constructor(timeZone: string, doors: readonly NamedDoor[]) {
    this.#timeZone = timeZone
    for (const { id, name } of doors) this.#door(id, name)
  }

  addOpenTime({ doors, day, spans }: OpenTime): void {
    const open = entryOf(this.#open, doors, () => ({ ms: 0, byHour: new Map<number, number>() }))
    const onDay = this.#day(day)
    for (const span of spans) {
      const length = span.to - span.from
      open.ms += length
      for (const total of [this.#totals, onDay]) total.openMs += length * doors.length
      for (const { hour, ms } of splitByHour(this.#timeZone, span))
        open.byHour.set(hour, (open.byHour.get(hour) ?? 0) + ms)
    }
  }

  addAppointment(appointment: CountedAppointment, day: DayNumber): void {
    const { from, to, visit, carrierName } = appointment
    const door = this.#door(appointment.doorId, appointment.doorName)
    const carrier = entryOf(this.#carriers, carrierName, () => ({
      sum: new Sum(),
      arrivals: [],
      dwell: [],
      detention: { detained: 0, detentionMinutes: 0 },
    }))
    for (const sum of [this.#totals, this.#day(day), door.sum, carrier.sum]) sum.count(appointment)
    if (isCalledOff(appointment)) return
    for (const { hour, ms } of splitByHour(this.#timeZone, { from, to }))
      if (appointment.status !== 'cancelled') entryOf(door.hours, hour, () => new Sum()).bookedMs += ms
    this.#lead.push((from - appointment.createdAt) / HOUR_MS)
    addPresent(this.#wait, visit.waitMinutes)
    addPresent(this.#turn, visit.turnMinutes)
    addPresent(this.#lateness, visit.minutesAfterStart)
    for (const dwell of [this.#dwell, carrier.dwell]) addPresent(dwell, visit.dwellMinutes)
    for (const arrivals of [this.#arrivals, carrier.arrivals]) addPresent(arrivals, visit.arrival)
    for (const detention of [this.#detention, carrier.detention]) addDetention(detention, visit.detentionMinutes)
  }

  /** Adds the open time of doors to what is known of each. */
  #shareOpenTime(): void {
    for (const [doors, { ms, byHour }] of this.#open)
      for (const { id, name } of doors) {
        const { sum, hours } = this.#door(id, name)
        sum.openMs += ms
        for (const [hour, part] of byHour) entryOf(hours, hour, () => new Sum()).openMs += part
      }
    this.#open.clear()
  }

  /** Days by date, carriers with the most appointments first. */
  get figures(): DockFigures {
    this.#shareOpenTime()
    return {
      totals: { ...this.#totals.counts, ...this.#totals.usage },
      days: [...this.#days]
        .sort(([a], [b]) => a - b)
        .map(([day, sum]) => ({ date: formatDate(day), ...sum.counts, ...sum.usage })),
      doors: [...this.#doors].map(([id, { name, sum, hours }]) => ({
        id,
        name,
        ...sum.counts,
        ...sum.usage,
        hours: [...hours].sort(([a], [b]) => a - b).map(([hour, { usage }]) => ({ hour, ...usage })),
      })),
      carriers: [...this.#carriers]
        .map(([name, { sum, arrivals, dwell, detention }]) => ({
          name,
          ...sum.counts,
          noShowShare: share(sum.counts.noShows, sum.counts.appointments),
          ...countArrivals(arrivals),
          dwellMinutes: spreadOf(dwell),
          ...detention,
        }))
        .sort((a, b) => b.appointments - a.appointments || compareNames(a.name, b.name)),
      arrivals: { ...countArrivals(this.#arrivals), minutesAfterStart: spreadOf(this.#lateness) },
      waitMinutes: spreadOf(this.#wait),
      turnMinutes: spreadOf(this.#turn),
      dwellMinutes: spreadOf(this.#dwell),
      detention: this.#detention,
      leadHours: spreadOf(this.#lead.map((hours) => Math.round(hours * 10) / 10)),
    }
  }

  #day(day: DayNumber): Sum {
    return entryOf(this.#days, day, () => new Sum())
  }

  #door(id: string, name: string) {
    return entryOf(this.#doors, id, () => ({ name, sum: new Sum(), hours: new Map<number, Sum>() }))
  }
}

class Sum {
  openMs = 0
  bookedMs = 0
  readonly counts: Counts = { appointments: 0, completed: 0, cancelled: 0, noShows: 0, turnedAway: 0, pallets: 0 }

  count(appointment: CountedAppointment): void {
    const { status, step, palletCount, from, to } = appointment
    const { counts } = this
    if (step === 'no_show') counts.noShows += 1
    if (step === 'turned_away') counts.turnedAway += 1
    if (isCalledOff(appointment)) {
      counts.cancelled += 1
      return
    }
    counts.appointments += 1
    if (status === 'cancelled') return
    if (status === 'completed') counts.completed += 1
    counts.pallets += palletCount ?? 0
    this.bookedMs += to - from
  }

  get usage(): Usage {
    const [openMinutes, bookedMinutes] = [this.openMs / MINUTE_MS, this.bookedMs / MINUTE_MS]
    return { openMinutes, bookedMinutes, utilization: share(bookedMinutes, openMinutes) }
  }
}

/** The parts of a span in each hour that the clock shows, from 0 to 23. */
function* splitByHour(timeZone: string, { from, to }: Span): Generator<{ hour: number; ms: number }> {
  for (const period of listOffsetPeriods(timeZone, from, to)) {
    const end = Math.min(to, period.to) + period.offset
    for (let local = Math.max(from, period.from) + period.offset; local < end; ) {
      const next = Math.min(end, (Math.floor(local / HOUR_MS) + 1) * HOUR_MS)
      yield { hour: Math.floor((((local % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS), ms: next - local }
      local = next
    }
  }
}

function countArrivals(arrivals: readonly Arrival[]): Punctuality {
  const count = (wanted: Arrival) => arrivals.filter((arrival) => arrival === wanted).length
  const [early, onTime, late] = [count('early'), count('on_time'), count('late')]
  return { early, onTime, late, onTimeShare: share(early + onTime, arrivals.length) }
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

function addDetention(detention: Detention, minutes: number | null): void {
  if (minutes === null || minutes === 0) return
  detention.detained += 1
  detention.detentionMinutes += minutes
}

function addPresent<Value>(values: Value[], value: Value | null): void {
  if (value !== null) values.push(value)
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
