import { DAY_MS } from '../../../kernel/time'

/** With less, a forecast would be mostly chance. */
export const MIN_RECORD_WEEKS = 8
export const MIN_RECORD_ITEMS = 10
/** What a team did longer ago says nothing about its pace today. */
const MAX_RECORD_WEEKS = 208

/** What a team has finished, by day. Weeks are counted back from the last day, so that each of them is whole. */
export interface FinishRecord {
  /** The number of its whole weeks, oldest first. */
  weeks: number
  /** How much was finished on each day of these weeks, in items or in points: `days[week * 7 + day]`. */
  days: Float64Array
  /** The number of the last day, counted from 1970-01-01. */
  lastDay: number
  /** For each week, the share of its usual work that its days allowed: 1 if everyone worked on all of them. */
  open: Float64Array
  /** Whether no one works on the day, counted from 1970-01-01; null if everyone works on all days. */
  isOff: ((day: number) => boolean) | null
}

/** Something finished on a day, with its size: 1 for an item, or its points. */
export interface Finished {
  day: number
  size: number
}

/** The number of a day from 1970-01-01 on: `2026-11-29` or an instant of it, in UTC. */
export function toDayNumber(moment: string): number {
  return Math.floor(Date.parse(moment) / DAY_MS)
}

export function fromDayNumber(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** The record up to `lastDay`, from the week in which the team began to finish items regularly. */
export function buildRecord(
  finished: readonly Finished[],
  { lastDay, isOff = null }: { lastDay: number; isOff?: FinishRecord['isOff'] },
): FinishRecord {
  const known = finished.filter(({ day }) => day <= lastDay && day > lastDay - MAX_RECORD_WEEKS * 7)
  const first = known.reduce((low, { day }) => Math.min(low, day), lastDay + 1)
  const all = Math.floor((lastDay + 1 - first) / 7)
  const begin = lastDay + 1 - all * 7
  const days = new Float64Array(all * 7)
  for (const { day, size } of known) if (day >= begin) days[day - begin]! += size
  const skipped = countStrayWeeks(days)
  const weeks = all - skipped
  const regularDays = days.subarray(skipped * 7)
  const weekdays = learnWeekdays(regularDays)
  const open = new Float64Array(weeks).map((_, week) =>
    isOff === null ? 1 : sumOf(weekdays.map((chance, i) => (isOff(begin + (skipped + week) * 7 + i) ? 0 : chance))),
  )
  return { weeks, days: regularDays, lastDay, open, isOff }
}

/** Of a week with less, such as one of holidays, what was finished says nothing about the pace. */
const MIN_OPEN = 0.5

/** What each week would have finished without days off; null if it says nothing. */
export function listWholeWeeks({ days, open }: FinishRecord): (number | null)[] {
  return sumWeeks(days).map((sum, week) => (open[week]! < MIN_OPEN ? null : sum / open[week]!))
}

/** The days of the week are learned from as many weeks. */
const WEEKDAY_WEEKS = 26

/** How much of a week's work is finished on each of its days; 1 in all. */
export function learnWeekdays(days: Float64Array): number[] {
  const sums = new Array<number>(7).fill(0.5)
  for (let day = Math.max(0, days.length - WEEKDAY_WEEKS * 7); day < days.length; day++) sums[day % 7]! += days[day]!
  const all = sumOf(sums)
  return sums.map((one) => one / all)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}

const REGULAR_WEEKS = 8

/** A few early items, such as those of a trial, are no pace: skips weeks until half of the next eight have a finished item. */
function countStrayWeeks(days: Float64Array): number {
  const busy = sumWeeks(days).map((sum) => (sum > 0 ? 1 : 0) as number)
  for (let week = 0; week + REGULAR_WEEKS <= busy.length; week++) {
    const next = busy.slice(week, week + REGULAR_WEEKS)
    if (next[0] === 1 && next.reduce((sum, one) => sum + one, 0) >= REGULAR_WEEKS / 2) return week
  }
  return 0
}

export function sumWeeks(days: Float64Array): number[] {
  return Array.from({ length: days.length / 7 }, (_, week) => {
    let sum = 0
    for (let day = week * 7; day < week * 7 + 7; day++) sum += days[day]!
    return sum
  })
}

/** The first `weeks` weeks of a record, as it was then. */
export function cutRecord(record: FinishRecord, weeks: number): FinishRecord {
  return {
    ...record,
    weeks,
    days: record.days.subarray(0, weeks * 7),
    lastDay: record.lastDay - (record.weeks - weeks) * 7,
  }
}
