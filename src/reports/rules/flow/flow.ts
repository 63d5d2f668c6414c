import { DAY_MS } from '../../../kernel/time'
import { onGrid } from '../estimates'
import { isDone, isOpen, REQUIREMENT_LEVEL, type ReportItem } from '../item'
import { earliest } from '../moments'
import type { Totals } from '../totals'
import { agreeing, count } from '../wording'
import { percentile } from './percentile'
import { type Week, weeksBefore, weeksBetween } from './weeks'
import type { WorkSpan } from './work-span'

/** So many whole weeks are looked back upon, and the one that has begun. */
export const FLOW_WEEKS = 12
/** With fewer whole weeks, or items, a figure would say more of chance than of the work. */
export const LEAST_WEEKS = 3
export const LEAST_ITEMS = 5
/** Of fewer items a percentile is the slowest one in another name. */
export const LEAST_ITEMS_FOR_PERCENTILES = 10

export const FLOW_RULE =
  `Of completed items at requirement level, over the last ${FLOW_WEEKS} whole weeks (Monday to Sunday, UTC) and the one that has ` +
  "begun, from the first week in which one was completed. An item was completed when the tracker's closing date says, else when its " +
  'snapshots show the change; points are those of its own estimate. Throughput is the mean of the whole weeks. Cycle time runs from the ' +
  'first work on an item to its completion, in days of 24 hours; its percentiles are nearest ranks, and are given from ' +
  `${LEAST_ITEMS_FOR_PERCENTILES} items on; of fewer only the median. What remained at the end of a week is of ` +
  "today's items: those that were added or removed since are not in it."

export interface FlowWeek {
  /** Its Monday, `2026-11-16`. */
  week: string
  /** False for the week of `asOf`, which has not ended. */
  isWhole: boolean
  items: number
  points: number
  /** Of today's items, those that were open at its end. */
  remainingItems: number
  remainingPoints: number
}

export interface Flow {
  weeks: FlowWeek[]
  /** Mean of the whole weeks; null where there are too few. */
  throughput: { items: number; points: number; weeks: number } | null
  /** Days that so many in a hundred items took at most; null where too few items tell. Of few items there is a median alone. */
  cycleTime: { items: number; p50: number; p85: number | null; p95: number | null } | null
  /** What is left out or not told, and why. */
  notes: string[]
}

/** The items whose history the flow is made from. */
export function flowItems(items: readonly ReportItem[], asOf: string): ReportItem[] {
  const since = weeksBefore(asOf, FLOW_WEEKS)
  return items.filter((item) => item.level === REQUIREMENT_LEVEL && isDone(item) && item.changedAt >= since)
}

interface Completed {
  completedAt: string
  points: number
  days: number | null
}

/** `spans` has an entry for each of `flowItems`, as far as its history tells. */
export function flowOf(
  items: readonly ReportItem[],
  shares: ReadonlyMap<number, Totals>,
  { asOf, spans }: { asOf: string; spans: ReadonlyMap<number, WorkSpan> },
): Flow {
  const pointsOf = ({ id }: ReportItem) => shares.get(id)?.points ?? 0
  const candidates = flowItems(items, asOf)
  const since = weeksBefore(asOf, FLOW_WEEKS)
  const dated = candidates.flatMap((item): Completed[] => {
    const { startedAt = null, completedAt = null } = spans.get(item.id) ?? {}
    if (completedAt === null || completedAt > asOf) return []
    return [{ completedAt, points: pointsOf(item), days: startedAt === null ? null : daysFrom(startedAt, completedAt) }]
  })
  const undated = candidates.length - dated.length
  const recent = dated.filter(({ completedAt }) => completedAt >= since)
  const open = items.filter((item) => item.level === REQUIREMENT_LEVEL && isOpen(item))
  const openPoints = open.reduce((sum, item) => onGrid(sum + pointsOf(item)), 0)
  const weeks = flowWeeks(recent, { asOf, openItems: open.length, openPoints })
  const throughput = throughputOf(weeks)
  const days = recent.flatMap((item) => (item.days === null ? [] : [item.days])).sort((a, b) => a - b)
  const cycleTime = cycleTimeOf(days)
  return { weeks, throughput, cycleTime, notes: notesOn({ weeks, throughput, cycleTime, days, undated }) }
}

/** To a tenth of a day. */
function daysFrom(from: string, to: string): number {
  return Math.round(((Date.parse(to) - Date.parse(from)) / DAY_MS) * 10) / 10
}

function flowWeeks(
  completed: readonly Completed[],
  { asOf, openItems, openPoints }: { asOf: string; openItems: number; openPoints: number },
): FlowWeek[] {
  const first = earliest(completed.map(({ completedAt }) => completedAt))
  if (first === null) return []
  let [remainingItems, remainingPoints] = [openItems, openPoints]
  const weeks = weeksBetween(first, asOf).reverse()
  return weeks
    .map((week) => {
      const done = completed.filter(({ completedAt }) => isWithin(week, completedAt))
      const points = done.reduce((sum, item) => onGrid(sum + item.points), 0)
      const row = {
        week: week.monday,
        isWhole: week.to <= asOf,
        items: done.length,
        points,
        remainingItems,
        remainingPoints,
      }
      remainingItems += done.length
      remainingPoints = onGrid(remainingPoints + points)
      return row
    })
    .reverse()
}

function isWithin({ from, to }: Week, moment: string): boolean {
  return moment >= from && moment < to
}

function throughputOf(weeks: readonly FlowWeek[]): Flow['throughput'] {
  const whole = weeks.filter(({ isWhole }) => isWhole)
  if (whole.length < LEAST_WEEKS) return null
  const mean = (of: 'items' | 'points') =>
    Math.round((whole.reduce((sum, week) => sum + week[of], 0) / whole.length) * 10) / 10
  return { items: mean('items'), points: mean('points'), weeks: whole.length }
}

function cycleTimeOf(days: readonly number[]): Flow['cycleTime'] {
  if (days.length < LEAST_ITEMS) return null
  const at = (percent: number) => (days.length < LEAST_ITEMS_FOR_PERCENTILES ? null : percentile(days, percent))
  return { items: days.length, p50: percentile(days, 50), p85: at(85), p95: at(95) }
}

function notesOn(
  found: Pick<Flow, 'weeks' | 'throughput' | 'cycleTime'> & { days: readonly number[]; undated: number },
) {
  const { weeks, throughput, cycleTime, days, undated } = found
  const whole = weeks.filter(({ isWhole }) => isWhole).length
  const notes: string[] = []
  if (!throughput)
    notes.push(
      `Too little history for a throughput: it takes ${LEAST_WEEKS} whole weeks since the first known completion, and there ${agreeing(whole, 'is', 'are')} ${whole === 0 ? 'none' : whole}.`,
    )
  if (!cycleTime)
    notes.push(
      `Too little history for cycle times: it takes ${LEAST_ITEMS} completed items of which start and end are known, and there ${agreeing(days.length, 'is', 'are')} ${days.length === 0 ? 'none' : days.length}.`,
    )
  if (undated > 0)
    notes.push(
      `${count(undated, 'completed item')} ${agreeing(undated, 'is', 'are')} left out: it is not known when ${agreeing(undated, 'it was', 'they were')} completed.`,
    )
  return notes
}
