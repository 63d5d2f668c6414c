import { capitalize } from '../../kernel/text/text'
import type { BlockerFact, Changes, FeatureFigures, Figures, Flow, ItemFact, Risk, Totals } from '../schemas'
import { formatDate } from './dates'
import { formatNames } from './risks'
import { computeCompletion, NO_TOTALS, roundPoints, sumTotals } from './totals'
import {
  escapeMarkdown,
  formatCount,
  formatNumber,
  formatPercent,
  inflect,
  nameInMarkdown,
  renderProgressBar,
  renderTable,
} from './wording'

/** Questions that the risks of the features raise. */
export function renderDecisionsSection(features: readonly FeatureFigures[]): string {
  return renderListSection('Decisions needed', features, formatDecision) || '## Decisions needed\n\nNone.'
}

function formatDecision(feature: FeatureFigures): string {
  const { risks } = feature
  const late = new Set(risks.filter(({ signal }) => signal === 'late').flatMap(({ references }) => references))
  const found = risks.flatMap(({ signal, references }): string[] => {
    const left = signal === 'stale' ? references.filter((reference) => !late.has(reference)) : references
    return signal === 'waiting' || left.length === 0 ? [] : [questions[signal](nameAll(left), feature)]
  })
  // Waiting for other work raises a question only if nothing else does.
  const waiting = risks.filter(({ signal }) => signal === 'waiting').flatMap(({ references }) => references)
  if (found.length === 0) found.push(`Should the work that holds up ${nameAll(waiting)} be done first?`)
  return `**${nameInMarkdown(feature)}**: ${found.join(' ')}`
}

function nameAll(references: readonly string[]): string {
  return escapeMarkdown(formatNames(references))
}

const questions: Record<Exclude<Risk['signal'], 'waiting'>, (items: string, feature: FeatureFigures) => string> = {
  blocked: (items) => `Who unblocks ${items}, and by when?`,
  late: (items) => `Should ${items} move to a later iteration, or be removed from the scope?`,
  stale: (items) => `Should work on ${items} continue or stop?`,
  unestimated: (items) => `Who estimates ${items}?`,
  'closed-early': (items, { reference }) =>
    `Should ${escapeMarkdown(reference)} be reopened, or should ${items} be closed?`,
}

export function formatFeatureAtRisk(feature: FeatureFigures): string {
  const { state, completion, assignedTo, riskWeight, risks } = feature
  const facts = [
    escapeMarkdown(state),
    `${formatPercent(completion ?? 0)} done`,
    assignedTo && escapeMarkdown(assignedTo.displayName),
  ]
  const reasons = risks.map(({ evidence }) => escapeMarkdown(evidence)).join('; ')
  return `**${nameInMarkdown(feature)}** (${facts.filter(Boolean).join(', ')}): ${formatPercent(riskWeight)} of its open points are in trouble. ${capitalize(reasons)}.`
}

export function formatBlocker(blocker: BlockerFact, features: readonly FeatureFigures[]): string {
  const { id, type, state, featureId, evidence } = blocker
  const feature = featureId === id ? undefined : features.find((each) => each.id === featureId)
  const facts = [escapeMarkdown(type), escapeMarkdown(state), feature && `in ${escapeMarkdown(feature.reference)}`]
  return `${nameInMarkdown(blocker)} (${facts.filter(Boolean).join(', ')}): ${escapeMarkdown(evidence)}`
}

export function formatStaleItem(fact: ItemFact): string {
  return `${formatItem(fact)}: no change since ${formatDate(fact.changedAt)} (${formatCount(fact.daysSinceChange, 'day')})`
}

export function formatItem(fact: ItemFact): string {
  const { type, points, assignedTo } = fact
  const facts = [
    escapeMarkdown(type),
    points !== null && formatCount(points, 'point'),
    assignedTo && escapeMarkdown(assignedTo.displayName),
  ]
  return `${nameInMarkdown(fact)} (${facts.filter(Boolean).join(', ')})`
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
  const named = facts.slice(0, MAX_NAMED_ITEMS).map(nameInMarkdown)
  const more = facts.length > named.length ? `; and ${facts.length - named.length} more` : ''
  const subject = `${formatCount(facts.length, 'backlog item')}${size} ${inflect(facts.length, 'was', 'were')} ${verb}`
  return `${capitalize(subject)}: ${named.join('; ')}${more}.`
}

export const MAX_TABLE_ROWS = 50

/** One row per feature, and the sum of all rows last. */
export function renderProgressSection({ features, outside, totals }: Figures): string {
  const rows = features
    .slice(0, MAX_TABLE_ROWS)
    .map((each) => createRow([nameInMarkdown(each), escapeMarkdown(each.state)], each))
  const rest = features.slice(rows.length)
  // The features that the table leaves out are summed, so that its rows still add up.
  if (rest.length > 0) rows.push(createRow([`and ${rest.length} more`, ''], rest.reduce<Totals>(sumTotals, NO_TOTALS)))
  if (outside.items > 0) rows.push(createRow(['Outside the features', ''], outside))
  if (rows.length > 1) rows.push(createRow(['**Total**', ''], totals))
  if (rows.length === 0) return ''
  return `## Progress\n\n${renderTable(['Feature', 'State', ...TOTALS_HEADS], rows)}`
}

/** Where the work is tracked, if that is more than one tracker. */
export function renderTrackersSection({ byTracker, totals }: Figures): string {
  if (byTracker.length < 2) return ''
  const rows = byTracker.map((group) => createRow([escapeMarkdown(group.name ?? '')], group.totals))
  return `## Trackers\n\n${renderTable(['Tracker', ...TOTALS_HEADS], [...rows, createRow(['**Total**'], totals)])}`
}

const TOTALS_HEADS = ['Progress', 'Points done', 'Items done', 'Blockers']

/** `lead` has the first cells of the row. */
function createRow(lead: readonly string[], totals: Totals): string[] {
  const completion = computeCompletion(totals)
  return [
    ...lead,
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
