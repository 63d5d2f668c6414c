import { DAY_MS } from '../../kernel/time'
import type { Flow, Totals } from '../schemas'
import { findEarliest } from './dates'
import { isDone, isOpen, REQUIREMENT_LEVEL, type ReportItem } from './report-item'

import { roundPoints } from './totals'
import { formatCount, inflect } from './wording'
import type { WorkSpan } from './work-span'

/** The number of whole weeks that are reported, besides the current one. */
export const FLOW_WEEKS = 12
/** With fewer whole weeks or items, a figure would be mostly chance. */
export const MIN_WEEKS = 3
export const MIN_ITEMS = 5
/** With fewer items, a high percentile is just the slowest item. */
const MIN_ITEMS_FOR_PERCENTILES = 10

export const FLOW_RULE =
  `Covers completed items at requirement level, over the last ${FLOW_WEEKS} whole weeks (Monday to Sunday, UTC) and the current one, ` +
  "from the first week with a completion. The completion time is the tracker's closing date, or else the change that the " +
  'snapshots show; points are those of its own estimate. Throughput is the mean of the whole weeks. Cycle time runs from the ' +
  'first work on an item to its completion, in days of 24 hours; percentiles use the nearest rank and are given from ' +
  `${MIN_ITEMS_FOR_PERCENTILES} items on; with fewer, only the median is given. Remaining work at the end of a week counts ` +
  "today's items: items that were added or removed since are not included."

/** The items whose history the flow is made from. */
export function selectFlowItems(items: readonly ReportItem[], asOf: string): ReportItem[] {
  const since = subtractWeeks(asOf, FLOW_WEEKS)
  return items.filter((item) => item.level === REQUIREMENT_LEVEL && isDone(item) && item.changedAt >= since)
}

type CompletedItem = Flow['completed'][number] & { points: number }

/** `spans` has an entry for each item of `selectFlowItems` whose history is known. */
export function buildFlow(
  items: readonly ReportItem[],
  shares: ReadonlyMap<number, Totals>,
  { asOf, spans }: { asOf: string; spans: ReadonlyMap<number, WorkSpan> },
): Flow {
  const pointsOf = ({ id }: ReportItem) => shares.get(id)?.points ?? 0
  const candidates = selectFlowItems(items, asOf)
  const since = subtractWeeks(asOf, FLOW_WEEKS)
  const dated = candidates.flatMap((item): CompletedItem[] => {
    const { startedAt = null, completedAt = null } = spans.get(item.id) ?? {}
    if (completedAt === null || completedAt > asOf) return []
    const { id, reference, title } = item
    const days = startedAt === null ? null : measureDays(startedAt, completedAt)
    return [{ id, reference, title, completedAt, points: pointsOf(item), days }]
  })
  const undated = candidates.length - dated.length
  const recent = dated.filter(({ completedAt }) => completedAt >= since)
  const open = items.filter((item) => item.level === REQUIREMENT_LEVEL && isOpen(item))
  const openPoints = open.reduce((sum, item) => roundPoints(sum + pointsOf(item)), 0)
  const weeks = countByWeek(recent, { asOf, openItems: open.length, openPoints })
  const throughput = computeThroughput(weeks)
  const days = recent.flatMap((item) => (item.days === null ? [] : [item.days])).sort((a, b) => a - b)
  const cycleTime = computeCycleTime(days)
  const completed = recent
    .sort((a, b) => (a.completedAt === b.completedAt ? a.id - b.id : a.completedAt < b.completedAt ? -1 : 1))
    .map(({ points: _, ...item }) => item)
  return { weeks, throughput, cycleTime, completed, notes: listNotes({ weeks, throughput, cycleTime, days, undated }) }
}

/** To a tenth of a day. */
function measureDays(from: string, to: string): number {
  return Math.round(((Date.parse(to) - Date.parse(from)) / DAY_MS) * 10) / 10
}

function countByWeek(
  completed: readonly CompletedItem[],
  { asOf, openItems, openPoints }: { asOf: string; openItems: number; openPoints: number },
): Flow['weeks'] {
  const first = findEarliest(completed.map(({ completedAt }) => completedAt))
  if (first === null) return []
  let [remainingItems, remainingPoints] = [openItems, openPoints]
  const weeks = listWeeks(first, asOf).reverse()
  return weeks
    .map((week) => {
      const done = completed.filter(({ completedAt }) => isWithin(week, completedAt))
      const points = done.reduce((sum, item) => roundPoints(sum + item.points), 0)
      const row = {
        week: week.monday,
        isWhole: week.to <= asOf,
        items: done.length,
        points,
        remainingItems,
        remainingPoints,
      }
      remainingItems += done.length
      remainingPoints = roundPoints(remainingPoints + points)
      return row
    })
    .reverse()
}

function isWithin({ from, to }: Week, moment: string): boolean {
  return moment >= from && moment < to
}

function computeThroughput(weeks: Flow['weeks']): Flow['throughput'] {
  const whole = weeks.filter(({ isWhole }) => isWhole)
  if (whole.length < MIN_WEEKS) return null
  const mean = (of: 'items' | 'points') =>
    Math.round((whole.reduce((sum, week) => sum + week[of], 0) / whole.length) * 10) / 10
  return { items: mean('items'), points: mean('points'), weeks: whole.length }
}

function computeCycleTime(days: readonly number[]): Flow['cycleTime'] {
  if (days.length < MIN_ITEMS) return null
  const at = (percent: number) => (days.length < MIN_ITEMS_FOR_PERCENTILES ? null : computePercentile(days, percent))
  return { items: days.length, p50: computePercentile(days, 50), p85: at(85), p95: at(95) }
}

function listNotes(
  found: Pick<Flow, 'weeks' | 'throughput' | 'cycleTime'> & { days: readonly number[]; undated: number },
) {
  const { weeks, throughput, cycleTime, days, undated } = found
  const whole = weeks.filter(({ isWhole }) => isWhole).length
  const notes: string[] = []
  if (!throughput)
    notes.push(
      `The history is too short for a throughput: at least ${MIN_WEEKS} whole weeks since the first known completion are needed, and there ${inflect(whole, 'is', 'are')} ${whole === 0 ? 'none' : whole}.`,
    )
  if (!cycleTime)
    notes.push(
      `The history is too short for cycle times: at least ${MIN_ITEMS} completed items with a known start and end are needed, and there ${inflect(days.length, 'is', 'are')} ${days.length === 0 ? 'none' : days.length}.`,
    )
  if (undated > 0)
    notes.push(
      `${formatCount(undated, 'completed item')} ${inflect(undated, 'is', 'are')} left out: it is not known when ${inflect(undated, 'it was', 'they were')} completed.`,
    )
  return notes
}

/** By nearest rank: the smallest value that at least `percent` percent of the values do not exceed. `sorted` is not empty. */
export function computePercentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]!
}

const WEEK_MS = 7 * DAY_MS

/** A week of ISO 8601, Monday to Sunday in UTC. */
interface Week {
  /** Its Monday, `2026-11-16`. */
  monday: string
  /** Half-open: `from` is in the week, `to` is not. */
  from: string
  to: string
}

export function getWeek(moment: string): Week {
  const midnight = Math.floor(Date.parse(moment) / DAY_MS) * DAY_MS
  const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7
  return createWeek(midnight - sinceMonday * DAY_MS)
}

function createWeek(monday: number): Week {
  const from = new Date(monday).toISOString()
  return { monday: from.slice(0, 10), from, to: new Date(monday + WEEK_MS).toISOString() }
}

/** The weeks of both instants and all weeks between them. */
export function listWeeks(first: string, last: string): Week[] {
  const [start, end] = [Date.parse(getWeek(first).from), Date.parse(getWeek(last).from)]
  return Array.from({ length: (end - start) / WEEK_MS + 1 }, (_, n) => createWeek(start + n * WEEK_MS))
}

function subtractWeeks(moment: string, count: number): string {
  return new Date(Date.parse(getWeek(moment).from) - count * WEEK_MS).toISOString()
}
