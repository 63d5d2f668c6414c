import type { BlockerFact, ItemFact } from './facts'
import type { FeatureFigures } from './feature-figures'
import { TASK_LEVEL } from './item'
import { asMarkdownText } from './markdown'
import { dateText } from './moments'
import { count, percent } from './wording'

export function atRiskSection(features: readonly FeatureFigures[]): string {
  if (features.length === 0) return ''
  const entries = features.filter((feature) => feature.atRisk).map(atRiskEntry)
  return section('At risk', entries) || '## At risk\n\nNo feature is at risk, by the rule at the end.'
}

function atRiskEntry(feature: FeatureFigures): string {
  const { id, title, state, completion, assignedTo, risks } = feature
  const facts = [asMarkdownText(state), percent(completion ?? 0), assignedTo && asMarkdownText(assignedTo.displayName)]
  const reasons = risks.map((risk) => risk.evidence).join('; ')
  return `**#${id} ${asMarkdownText(title)}** (${facts.filter(Boolean).join(', ')}): ${reasons}`
}

export function blockersSection(blockers: readonly BlockerFact[]): string {
  const entries = blockers.map(
    ({ id, type, title, state, featureId, evidence }) =>
      `#${id} ${asMarkdownText(title)} (${asMarkdownText(type)}, ${asMarkdownText(state)}` +
      `${featureId === null || featureId === id ? '' : `, in #${featureId}`}): ${asMarkdownText(evidence)}`,
  )
  return section('Blockers', entries)
}

/** Tasks are counted, not listed: a reader of the briefing looks for what was delivered. */
export function completedSection(completed: readonly ItemFact[]): string {
  const delivered = completed.filter((fact) => fact.level !== TASK_LEVEL)
  const tasks = completed.length - delivered.length
  return section(
    'Completed recently',
    delivered.map((fact) => `${itemText(fact)}, ${dateText(fact.changedAt)}`),
    tasks > 0 ? [`${delivered.length > 0 ? 'and ' : ''}${count(tasks, 'item')} at task level`] : [],
  )
}

export function unestimatedSection(unestimated: readonly ItemFact[]): string {
  return section('Not estimated', unestimated.map(itemText))
}

export function notMovingSection(stale: readonly ItemFact[]): string {
  const entries = stale.map((fact) => {
    const since = `no change since ${dateText(fact.changedAt)} (${count(fact.daysSinceChange, 'day')})`
    return `${itemText(fact)}: ${since}`
  })
  return section('Not moving', entries)
}

function itemText({ id, type, title, points, assignedTo }: ItemFact): string {
  const facts = [
    asMarkdownText(type),
    points !== null && count(points, 'point'),
    assignedTo && asMarkdownText(assignedTo.displayName),
  ]
  return `#${id} ${asMarkdownText(title)} (${facts.filter(Boolean).join(', ')})`
}

const LONGEST_LIST = 20

/** A list under its heading, or nothing. It does not run on: what is left out is counted, and where to read it is said. */
function section(title: string, entries: readonly string[], closing: readonly string[] = []): string {
  const shown = entries.slice(0, LONGEST_LIST)
  const more = entries.length - shown.length
  const rest = more > 0 ? [`and ${more} more, all of which \`studio report summary\` lists`] : []
  const lines = [...shown, ...rest, ...closing]
  return lines.length === 0 ? '' : [`## ${title}`, '', ...lines.map((line) => `- ${line}`)].join('\n')
}
