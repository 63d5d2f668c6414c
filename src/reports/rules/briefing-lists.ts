import { type BlockerFact, type CompletedFact, doneAt, type ItemFact } from './facts'
import type { FeatureFigures } from './feature-figures'
import { TASK_LEVEL } from './item'
import { asMarkdownText } from './markdown'
import { dateText } from './moments'
import { count, percent } from './wording'

export function atRiskSection(features: readonly FeatureFigures[]): string {
  if (features.length === 0) return ''
  const atRisk = features.filter((feature) => feature.atRisk)
  return (
    section('At risk', shortened(atRisk, riskText)) || '## At risk\n\nNo feature is at risk, by the rule at the end.'
  )
}

function riskText({ id, title, state, completion, assignedTo, risks }: FeatureFigures): string {
  const facts = [asMarkdownText(state), percent(completion ?? 0), assignedTo && asMarkdownText(assignedTo.displayName)]
  const reasons = risks.map((risk) => risk.evidence).join('; ')
  return `**#${id} ${asMarkdownText(title)}** (${facts.filter(Boolean).join(', ')}): ${reasons}`
}

export function blockersSection(blockers: readonly BlockerFact[]): string {
  return section('Blockers', shortened(blockers, blockerText))
}

function blockerText({ id, type, title, state, featureId, evidence }: BlockerFact): string {
  const feature = featureId !== null && featureId !== id && `in #${featureId}`
  const facts = [asMarkdownText(type), asMarkdownText(state), feature]
  return `#${id} ${asMarkdownText(title)} (${facts.filter(Boolean).join(', ')}): ${asMarkdownText(evidence)}`
}

/** Tasks are counted, not listed: a reader of the briefing looks for what was delivered. */
export function completedSection(completed: readonly CompletedFact[]): string {
  const delivered = completed.filter((fact) => fact.level !== TASK_LEVEL)
  const tasks = completed.length - delivered.length
  const taskText = `${delivered.length > 0 ? 'and ' : ''}${count(tasks, 'item')} at task level`
  const lines = shortened(delivered, (fact) => `${itemText(fact)}, ${dateText(doneAt(fact))}`)
  return section('Completed recently', tasks > 0 ? [...lines, taskText] : lines)
}

export function unestimatedSection(unestimated: readonly ItemFact[]): string {
  return section('Not estimated', shortened(unestimated, itemText))
}

export function notMovingSection(stale: readonly ItemFact[]): string {
  return section('Not moving', shortened(stale, staleText))
}

function staleText(fact: ItemFact): string {
  return `${itemText(fact)}: no change since ${dateText(fact.changedAt)} (${count(fact.daysSinceChange, 'day')})`
}

function itemText({ id, type, title, points, assignedTo }: ItemFact): string {
  const facts = [
    asMarkdownText(type),
    points !== null && count(points, 'point'),
    assignedTo && asMarkdownText(assignedTo.displayName),
  ]
  return `#${id} ${asMarkdownText(title)} (${facts.filter(Boolean).join(', ')})`
}

export const LONGEST_LIST = 20

/** No list runs on: what is left out is counted, and where to read it is said. */
function shortened<Fact>(facts: readonly Fact[], textOf: (fact: Fact) => string): string[] {
  const lines = facts.slice(0, LONGEST_LIST).map(textOf)
  const more = facts.length - lines.length
  return more > 0 ? [...lines, `and ${more} more, all of which \`studio report summary\` lists`] : lines
}

/** A list under its heading, or nothing. */
function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`## ${title}`, '', ...lines.map((line) => `- ${line}`)].join('\n')
}
