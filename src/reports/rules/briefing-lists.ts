import type { BlockerFact, ItemFact } from './facts'
import type { FeatureFigures } from './feature-figures'
import { asMarkdownText } from './markdown'
import { dateText } from './moments'
import { capitalized, count, percent } from './wording'

export function decisionsSection(decisions: readonly string[]): string {
  return (
    section(
      'Decisions needed',
      shortened(decisions, (text) => text),
    ) || '## Decisions needed\n\nNone.'
  )
}

export function atRiskSection(features: readonly FeatureFigures[]): string {
  return section(
    'At risk',
    shortened(
      features.filter((feature) => feature.atRisk),
      riskText,
    ),
  )
}

function riskText({ id, title, state, completion, assignedTo, riskWeight, risks }: FeatureFigures): string {
  const facts = [
    asMarkdownText(state),
    `${percent(completion ?? 0)} done`,
    assignedTo && asMarkdownText(assignedTo.displayName),
  ]
  const reasons = risks.map((risk) => risk.evidence).join('; ')
  return `**#${id} ${asMarkdownText(title)}** (${facts.filter(Boolean).join(', ')}): ${percent(riskWeight)} of its open points are in trouble. ${capitalized(reasons)}.`
}

export function blockersSection(blockers: readonly BlockerFact[]): string {
  return section('Blockers', shortened(blockers, blockerText))
}

function blockerText({ id, type, title, state, featureId, evidence }: BlockerFact): string {
  const feature = featureId !== null && featureId !== id && `in #${featureId}`
  const facts = [asMarkdownText(type), asMarkdownText(state), feature]
  return `#${id} ${asMarkdownText(title)} (${facts.filter(Boolean).join(', ')}): ${asMarkdownText(evidence)}`
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
