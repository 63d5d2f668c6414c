import type { ResultOf } from '../../../src/catalog'
import { formatDate } from '../../../src/reports/rules/dates'
import { getCompletionTime } from '../../../src/reports/rules/item-facts'
import { formatCount, formatNumber, formatPercent } from '../../../src/reports/rules/wording'

export type Summary = ResultOf<'reports.summary'>
export type Feature = Summary['features'][number]
export type Group = Summary['byState'][number]
export type Week = NonNullable<Summary['flow']>['weeks'][number]
type ItemFact = Summary['staleItems'][number]

/** A titled list, which may be empty. A view must escape its texts. */
export interface Lines {
  title: string
  lines: string[]
}

export function blockersOf({ blockers }: Summary): Lines {
  return {
    title: 'Blockers',
    lines: blockers.map(({ reference, title, evidence }) => `${reference} ${title}: ${evidence}`),
  }
}

export function listsOf({ recentlyCompleted, staleItems, unestimated }: Summary): Lines[] {
  return [
    { title: 'Completed lately', lines: recentlyCompleted.map(completedText) },
    { title: 'Not moving', lines: staleItems.map(staleText) },
    { title: 'Not estimated', lines: unestimated.map(nameOf) },
  ]
}

export function riskyOf({ features }: Summary): Feature[] {
  return features.filter((feature) => feature.atRisk)
}

/** The total figures that have no bar. */
export function overviewOf(answer: Summary): [name: string, text: string][] {
  const { totals, features } = answer
  return [
    ['Points', `${formatNumber(totals.donePoints)} of ${formatNumber(totals.points)}`],
    ['Items', `${totals.doneItems} of ${totals.items}`],
    ['Features at risk', `${riskyOf(answer).length} of ${features.length}`],
    ['Blockers', String(totals.blockers)],
    ['Not estimated', String(totals.unestimated)],
  ]
}

export function groupingsOf({
  byState,
  byType,
  byIteration,
  byAssignee,
  byTracker,
}: Summary): [noun: string, groups: Group[]][] {
  const all: [string, Group[]][] = [
    ['State', byState],
    ['Type', byType],
    ['Iteration', byIteration],
    ['Assignee', byAssignee],
    ['Tracker', byTracker.length > 1 ? byTracker : []],
  ]
  return all.filter(([, groups]) => groups.length > 0)
}

export function flowTexts(flow: Summary['flow']): string[] {
  if (!flow) return []
  const { throughput, cycleTime, notes } = flow
  const lines = [
    throughput &&
      `Throughput: ${formatNumber(throughput.items)} items and ${formatCount(throughput.points, 'point')} a week, the mean of ${throughput.weeks} whole weeks`,
    cycleTime && cycleTimeText(cycleTime),
    ...notes,
  ]
  return lines.filter((line) => line !== null)
}

function cycleTimeText({ items, p50, p85, p95 }: NonNullable<NonNullable<Summary['flow']>['cycleTime']>): string {
  const median = `Cycle time: median of ${formatCount(p50, 'day')} over ${items} items`
  if (p85 === null || p95 === null) return median
  return `${median}; 85% took at most ${formatCount(p85, 'day')}, 95% at most ${formatCount(p95, 'day')}`
}

export function weekText({ week, isWhole }: Week): string {
  return `${formatDate(week)}${isWhole ? '' : ', so far'}`
}

export function groupName({ name }: Group): string {
  return name ?? '(none)'
}

export function share(completion: number | null): string {
  return completion === null ? '-' : formatPercent(completion)
}

function nameOf({ reference, title, type, assignedTo }: ItemFact): string {
  return `${reference} ${title} (${[type, assignedTo?.displayName].filter(Boolean).join(', ')})`
}

function completedText(fact: Summary['recentlyCompleted'][number]): string {
  return `${nameOf(fact)}, ${formatDate(getCompletionTime(fact))}`
}

function staleText(fact: ItemFact): string {
  return `${nameOf(fact)}: no change since ${formatDate(fact.changedAt)}, ${formatCount(fact.daysSinceChange, 'day')}`
}
