import type { BlockerFact, ItemFact } from './facts'
import type { FeatureFigures } from './feature-figures'
import { TASK_LEVEL } from './item'
import { asMarkdownText, bullets } from './markdown'
import { dateText } from './moments'
import { count, number, percent } from './wording'

export function atRiskSection(features: readonly FeatureFigures[]): string {
  if (features.length === 0) return ''
  const entries = features.filter((feature) => feature.atRisk).map(atRiskEntry)
  return `## At risk\n\n${entries.length > 0 ? bullets(entries) : 'No feature is at risk, by the rule at the end.'}`
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

export function completedSection(completed: readonly ItemFact[]): string {
  const tasks = completed.filter((fact) => fact.level === TASK_LEVEL).length
  const entries = completed
    .filter((fact) => fact.level !== TASK_LEVEL)
    .map((fact) => `${itemText(fact)}, ${dateText(fact.changedAt)}`)
  const atTaskLevel = tasks > 0 ? [`${count(tasks, 'item')} at task level`] : []
  return section('Completed recently', [...entries, ...atTaskLevel])
}

export function unestimatedSection(unestimated: readonly ItemFact[]): string {
  return section('Not estimated', unestimated.map(itemText))
}

export function notMovingSection(stale: readonly ItemFact[]): string {
  return section(
    'Not moving',
    stale.map(
      (fact) => `${itemText(fact)}: no change since ${dateText(fact.changedAt)} (${count(fact.daysSinceChange, 'day')})`,
    ),
  )
}
