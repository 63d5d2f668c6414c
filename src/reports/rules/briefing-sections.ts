import type { BlockerFact, Changes, FeatureFigures, Figures, Flow, ItemFact, Risk, Totals } from '../schemas'
import { formatDate } from './dates'
import { formatIds } from './risks'
import { computeCompletion, NO_TOTALS, roundPoints, sumTotals } from './totals'
import {
  capitalize,
  escapeMarkdown,
  formatCount,
  formatNumber,
  formatPercent,
  inflect,
  renderProgressBar,
  renderTable,
} from './wording'

/** Questions that the risks of the features raise. */
export function renderDecisionsSection(features: readonly FeatureFigures[]): string {
  return renderListSection('Decisions needed', features, formatDecision) || '## Decisions needed\n\nNone.'
}

function formatDecision({ id, title, risks }: FeatureFigures): string {
  const late = new Set(risks.filter(({ signal }) => signal === 'late').flatMap(({ itemIds }) => itemIds))
  const found = risks.flatMap(({ signal, itemIds }): string[] => {
    const left = signal === 'stale' ? itemIds.filter((itemId) => !late.has(itemId)) : itemIds
    return signal === 'waiting' || left.length === 0 ? [] : [questions[signal](formatIds(left), id)]
  })
  // Waiting for other work raises a question only if nothing else does.
  const waiting = risks.filter(({ signal }) => signal === 'waiting').flatMap(({ itemIds }) => itemIds)
  if (found.length === 0) found.push(`Should the work that holds up ${formatIds(waiting)} be done first?`)
  return `**#${id} ${escapeMarkdown(title)}**: ${found.join(' ')}`
}

const questions: Record<Exclude<Risk['signal'], 'waiting'>, (ids: string, featureId: number) => string> = {
  blocked: (ids) => `Who unblocks ${ids}, and by when?`,
  late: (ids) => `Should ${ids} move to a later iteration, or leave the scope?`,
  stale: (ids) => `Should work on ${ids} go on, or stop?`,
  unestimated: (ids) => `Who estimates ${ids}?`,
  'closed-early': (ids, featureId) => `Should #${featureId} be reopened, or should ${ids} be closed?`,
}

export function formatFeatureAtRisk({
  id,
  title,
  state,
  completion,
  assignedTo,
  riskWeight,
  risks,
}: FeatureFigures): string {
  const facts = [
    escapeMarkdown(state),
    `${formatPercent(completion ?? 0)} done`,
    assignedTo && escapeMarkdown(assignedTo.displayName),
  ]
  const reasons = risks.map((risk) => risk.evidence).join('; ')
  return `**#${id} ${escapeMarkdown(title)}** (${facts.filter(Boolean).join(', ')}): ${formatPercent(riskWeight)} of its open points are in trouble. ${capitalize(reasons)}.`
}

export function formatBlocker({ id, type, title, state, featureId, evidence }: BlockerFact): string {
  const feature = featureId !== null && featureId !== id && `in #${featureId}`
  const facts = [escapeMarkdown(type), escapeMarkdown(state), feature]
  return `#${id} ${escapeMarkdown(title)} (${facts.filter(Boolean).join(', ')}): ${escapeMarkdown(evidence)}`
}

export function formatStaleItem(fact: ItemFact): string {
  return `${formatItem(fact)}: no change since ${formatDate(fact.changedAt)} (${formatCount(fact.daysSinceChange, 'day')})`
}

export function formatItem({ id, type, title, points, assignedTo }: ItemFact): string {
  const facts = [
    escapeMarkdown(type),
    points !== null && formatCount(points, 'point'),
    assignedTo && escapeMarkdown(assignedTo.displayName),
  ]
  return `#${id} ${escapeMarkdown(title)} (${facts.filter(Boolean).join(', ')})`
}

export const MAX_LIST_LENGTH = 20

/** Renders a list under its heading. A long list says how many entries are left out, and which command lists them. */
export function renderListSection<Fact>(title: string, facts: readonly Fact[], format: (fact: Fact) => string): string {
  const lines = facts.slice(0, MAX_LIST_LENGTH).map(format)
  const more = facts.length - lines.length
  if (more > 0) lines.push(`and ${more} more, all of which \`studio report summary\` lists`)
  return renderSection(title, lines)
}

/** Lines under their heading, or an empty text if there are none. */
function renderSection(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`## ${title}`, '', ...lines.map((line) => `- ${line}`)].join('\n')
}

export const MAX_NAMED_ITEMS = 5

export function renderChangesSection(changes: Changes | null): string {
  if (changes === null) return ''
  const { completed, started, added } = changes
  const lines = [
    formatChange(completed, 'completed'),
    formatChange(started, 'started'),
    formatChange(added, 'added'),
  ].filter((line) => line !== null)
  const none = 'No backlog item was completed, started or added.'
  return renderSection(`Changes since ${formatDate(changes.since)}`, lines.length > 0 ? lines : [none])
}

export function sumPoints(facts: readonly ItemFact[]): number {
  return facts.reduce((sum, { points }) => roundPoints(sum + (points ?? 0)), 0)
}

function formatChange(facts: readonly ItemFact[], verb: string): string | null {
  if (facts.length === 0) return null
  const points = sumPoints(facts)
  const size = points > 0 ? ` (${formatCount(points, 'point')})` : ''
  const named = facts.slice(0, MAX_NAMED_ITEMS).map(({ id, title }) => `#${id} ${escapeMarkdown(title)}`)
  const more = facts.length > named.length ? `; and ${facts.length - named.length} more` : ''
  const subject = `${formatCount(facts.length, 'backlog item')}${size} ${inflect(facts.length, 'was', 'were')} ${verb}`
  return `${capitalize(subject)}: ${named.join('; ')}${more}.`
}

export const MAX_TABLE_ROWS = 50

/** One row per feature, and the sum of all rows last. */
export function renderProgressSection({ features, outside, totals }: Figures): string {
  const rows = features
    .slice(0, MAX_TABLE_ROWS)
    .map((each) => createRow(`#${each.id} ${escapeMarkdown(each.title)}`, escapeMarkdown(each.state), each))
  const rest = features.slice(rows.length)
  // The features that the table leaves out are summed, so that its rows still add up.
  if (rest.length > 0) rows.push(createRow(`and ${rest.length} more`, '', rest.reduce<Totals>(sumTotals, NO_TOTALS)))
  if (outside.items > 0) rows.push(createRow('Outside the features', '', outside))
  if (rows.length > 1) rows.push(createRow('**Total**', '', totals))
  if (rows.length === 0) return ''
  return `## Progress\n\n${renderTable(['Feature', 'State', 'Progress', 'Points done', 'Items done', 'Blockers'], rows)}`
}

function createRow(name: string, state: string, totals: Totals): string[] {
  const completion = computeCompletion(totals)
  return [
    name,
    state,
    completion === null ? '' : `${renderProgressBar(completion)} ${formatPercent(completion)}`,
    totals.points > 0 ? `${formatNumber(totals.donePoints)} of ${formatNumber(totals.points)}` : 'none estimated',
    `${totals.doneItems} of ${totals.items}`,
    String(totals.blockers),
  ]
}

export function renderFlowSection(flow: Flow | null): string {
  if (flow === null) return ''
  const lines = [formatThroughput(flow), formatCycleTime(flow), ...flow.notes].filter((line) => line !== null)
  return renderSection('Pace', lines)
}

function formatThroughput({ throughput, weeks }: Flow): string | null {
  const last = weeks.findLast(({ isWhole }) => isWhole)
  if (!throughput || !last) return null
  const points = throughput.points > 0 ? ` (${formatCount(throughput.points, 'point')})` : ''
  return `${formatNumber(throughput.items)} backlog items${points} were completed per week on average over the ${throughput.weeks} weeks up to the week of ${formatDate(last.week)}.`
}

function formatCycleTime({ cycleTime }: Flow): string | null {
  if (!cycleTime) return null
  const { items, p50, p85, p95 } = cycleTime
  const slow =
    p85 === null || p95 === null ? '' : `; 85% took at most ${formatDays(p85)}, and 95% at most ${formatDays(p95)}`
  return `From first work to completion, the median of ${formatCount(items, 'item')} is ${formatDays(p50)}${slow}.`
}

function formatDays(n: number): string {
  return `${formatNumber(n)} ${inflect(n, 'day', 'days')}`
}
