import type { CountedLoad, Load } from '../../../../src/docks/booking/rules/load'
import type { BusySpan } from '../../../../src/docks/booking/rules/spans'
import type { BookingLimit, Door, FacilityRules, WeeklyHours } from '../../../../src/docks/facilities/rules/facility'
import type { WallClock } from './wall-clock-table'

/**
 * A scheduler that checks every minute, door by door, and tries each start. Slow, and simple enough to be obviously correct.
 */
export interface BruteRequest {
  facility: FacilityRules
  doors: readonly Door[]
  load: Load
  minutes: number
  /** Dates to try, in order. */
  dates: string[]
  notBefore: number
  /** The only times of day at which it may start, `from` and `to` included. */
  window?: { from: string; to: string } | null
  /** Starts that are not accepted. */
  excludedStarts?: readonly number[]
  /** The only start; any by default. */
  startAt?: number
  busy: BusySpan[]
  /** The appointment that is moved, which is not among the busy. */
  moved?: BusySpan | null
  clock: WallClock
}

export interface BruteAnswer {
  slot: { door: string; from: number } | null
  /** `2026-03-08 Door 1 closed`, one a date and door. */
  reasons: string[]
}

interface DoorMinutes {
  door: Door
  /** Within a window, whatever closures and breaks say. */
  inWindow: boolean[]
  /** Within a window and neither closed nor in a break, but perhaps blocked. */
  scheduled: boolean[]
  open: boolean[]
  taken: boolean[]
}

export function bruteForce(request: BruteRequest): BruteAnswer {
  const doors = request.doors
    .filter((door) => door.active && door.types.includes(request.load.type))
    .sort((a, b) => a.position - b.position)
    .map((door) => minutesOfDoor(request, door))
  const reasons: string[] = []
  for (const date of request.dates) {
    const starts = startsOn(request, date)
    for (const start of starts.filter((index) => isAllowed(request, index))) {
      const free = doors.find((door) => isFree(request, door, start) && isWithinLimits(request, start))
      if (free) return { slot: { door: free.door.name, from: request.clock.minutes[start]!.at }, reasons: [] }
    }
    for (const door of doors) reasons.push(`${date} ${door.door.name} ${reason(request, date, door, starts)}`)
  }
  return { slot: null, reasons }
}

function reason(request: BruteRequest, date: string, minutes: DoorMinutes, starts: number[]): string {
  const { door, inWindow, scheduled, open } = minutes
  if (!isSuitable(request, door)) return 'requirements'
  if (isClosed(request.facility, date)) return 'closure'
  if (!request.clock.minutes.some((minute, index) => minute.date === date && inWindow[index])) return 'closed'
  const fitting = starts.filter((start) => fits(request, start, (minute) => scheduled[minute]!))
  if (fitting.length === 0) return 'too_long_for_window'
  const inWindowOfRequest = fitting.filter((start) => isInRequestedWindow(request, start))
  if (inWindowOfRequest.length === 0) return 'outside_window'
  const unblocked = inWindowOfRequest.filter((start) => fits(request, start, (minute) => open[minute]!))
  if (unblocked.length === 0) return 'blocked'
  const inTime = unblocked.filter((start) => request.clock.minutes[start]!.at >= request.notBefore)
  if (inTime.length === 0) return 'lead_time'
  return inTime.some((start) => isFree(request, minutes, start)) ? 'limit' : 'full'
}

function isSuitable({ load: { requirements, equipmentHeight } }: BruteRequest, { features, maxHeight }: Door): boolean {
  const words = requirements === null ? [] : requirements.split(' ')
  return words.every((word) => features.includes(word)) && (equipmentHeight ?? 0) <= (maxHeight ?? 1000)
}

function isFree(request: BruteRequest, { door, open, taken }: DoorMinutes, start: number): boolean {
  return isSuitable(request, door) && fits(request, start, (minute) => open[minute]! && !taken[minute])
}

function isWithinLimits(request: BruteRequest, start: number): boolean {
  const { facility, clock, busy, moved, load } = request
  const starts = clock.minutes[start]!
  return facility.limits.every((limit) => {
    const own = amountOf(limit, load)
    if (own === 0) return true
    const isOfGroup = (other: BusySpan) =>
      !limit.eachCarrier || (load.carrierName && other.carrierName === load.carrierName)
    const others = busy.filter(isOfGroup)
    const before = moved && isOfGroup(moved) ? [...others, moved] : others
    const sum = (counted: readonly BusySpan[]) => counted.reduce((total, other) => total + amountOf(limit, other), 0)
    const isAllowed = (isCounted: (other: BusySpan) => boolean) => {
      const after = sum(others.filter(isCounted)) + own
      return after <= limit.max || after <= sum(before.filter(isCounted))
    }
    if (limit.per === 'moment') {
      return fits(request, start, (minute) => {
        const { at } = clock.minutes[minute]!
        return isAllowed(({ from, to }) => from <= at && at < to)
      })
    }
    const isSamePeriod = ({ from }: BusySpan) => {
      const minute = clock.minutes.find(({ at }) => at === from)
      if (minute?.date !== starts.date) return false
      return limit.per === 'day' || minute.time.slice(0, 2) === starts.time.slice(0, 2)
    }
    return isAllowed(isSamePeriod)
  })
}

function amountOf(
  { types, carriers, unit }: BookingLimit,
  { type, carrierName, palletCount }: Partial<CountedLoad>,
): number {
  if (types && !(type && types.includes(type))) return 0
  if (carriers && !(carrierName && carriers.includes(carrierName))) return 0
  return unit === 'pallets' ? (palletCount ?? 0) : 1
}

function isAllowed(request: BruteRequest, index: number): boolean {
  const { at } = request.clock.minutes[index]!
  return at >= request.notBefore && at === (request.startAt ?? at) && isInRequestedWindow(request, index)
}

function isInRequestedWindow({ window, excludedStarts, clock }: BruteRequest, index: number): boolean {
  const { at, time } = clock.minutes[index]!
  if (excludedStarts?.includes(at)) return false
  return !window || (window.from <= time && time <= window.to)
}

function fits(request: BruteRequest, start: number, isFree: (minute: number) => boolean): boolean {
  for (let minute = start; minute < start + request.minutes; minute++) if (!isFree(minute)) return false
  return true
}

function startsOn({ clock, facility }: BruteRequest, date: string): number[] {
  const sinceMidnight = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  return clock.minutes.flatMap((minute, index) =>
    minute.date === date && sinceMidnight(minute.time) % facility.slotMinutes === 0 ? [index] : [],
  )
}

function minutesOfDoor({ facility, doors, clock, busy, moved, load: { type } }: BruteRequest, door: Door): DoorMinutes {
  const inWindow = clock.minutes.map(() => false)
  const inBreak = clock.minutes.map(() => false)
  for (const queue of facility.queues) {
    if (queue.types && !queue.types.includes(type)) continue
    if (!queue.doors || queue.doors.includes(door.name)) mark(inWindow, queue, clock)
  }
  for (const pause of facility.breaks) if (!pause.doors || pause.doors.includes(door.name)) mark(inBreak, pause, clock)
  const closed = new Set(datesOf(clock).filter((date) => isClosed(facility, date)))
  const scheduled = clock.minutes.map(({ date }, index) => inWindow[index]! && !inBreak[index] && !closed.has(date))
  const blocked = facility.blockedTimes.filter((span) => !span.doors || span.doors.includes(door.name))
  const open = clock.minutes.map(
    ({ at }, index) =>
      scheduled[index]! && !blocked.some(({ from, to }) => Date.parse(from) <= at && at < Date.parse(to)),
  )
  const capacity = facility.capacity ?? doors.filter(({ active }) => active).length
  const underWay = clock.minutes.map(() => 0)
  const taken = clock.minutes.map(() => false)
  for (const span of busy) {
    clock.minutes.forEach(({ at }, index) => {
      const buffer = facility.bufferMinutes * 60_000
      if (span.doorId === door.id && span.from - buffer <= at && at < span.to + buffer) taken[index] = true
      if (at < span.from || span.to <= at) return
      underWay[index]! += 1
      const wasThere = moved && moved.from <= at && at < moved.to
      if (underWay[index]! >= capacity && !wasThere) taken[index] = true
    })
  }
  return { door, inWindow, scheduled, open, taken }
}

function mark(minutes: boolean[], hours: WeeklyHours, clock: WallClock): void {
  for (const date of datesOf(clock)) {
    if (!hours.days.includes(weekday(date))) continue
    const from = firstShowing(clock, date, hours.start)
    const to = lastShowing(clock, hours.end <= hours.start ? nextDate(date) : date, hours.end)
    for (let index = from; index < to; index++) minutes[index] = true
  }
}

function firstShowing(clock: WallClock, date: string, time: string): number {
  return clock.shown.get(`${date} ${time}`)?.at(0) ?? firstPast(clock, date, time)
}

function lastShowing(clock: WallClock, date: string, time: string): number {
  return clock.shown.get(`${date} ${time}`)?.at(-1) ?? firstPast(clock, date, time)
}

function firstPast({ minutes }: WallClock, date: string, time: string): number {
  const past = minutes.findIndex((minute) => `${minute.date} ${minute.time}` > `${date} ${time}`)
  return past >= 0 ? past : minutes.length
}

/** Every calendar date from the first to the last, including one that the clock skips. */
function datesOf({ minutes }: WallClock): string[] {
  const dates = [minutes[0]!.date]
  while (dates.at(-1)! < minutes.at(-1)!.date) dates.push(nextDate(dates.at(-1)!))
  return dates
}

function nextDate(date: string): string {
  const next = new Date(`${date}T12:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

function weekday(date: string) {
  return (['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const)[new Date(`${date}T12:00:00Z`).getUTCDay()]!
}

function isClosed(facility: FacilityRules, date: string): boolean {
  return facility.closures.some(({ from, to }) => from <= date && date <= to)
}
