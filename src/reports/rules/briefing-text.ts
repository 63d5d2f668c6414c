import { changesSection } from './briefing-changes'
import { decisionTexts } from './briefing-decisions'
import { flowSection } from './briefing-flow'
import {
  atRiskSection,
  blockersSection,
  decisionsSection,
  notMovingSection,
  unestimatedSection,
} from './briefing-lists'
import { progressSection } from './briefing-progress'
import type { FeatureFigures } from './feature-figures'
import type { Figures } from './figures'
import { isDone } from './item'
import { asMarkdownText } from './markdown'
import { dateText, momentText } from './moments'
import { STALE_DAYS } from './risks'
import type { Totals } from './totals'
import { agreeing, capitalized, count, number, percent } from './wording'

/** The status briefing in Markdown: a pure function of the figures, so that the same workspace gives the same bytes. */
export function briefingText(figures: Figures, { explain = false }: { explain?: boolean } = {}): string {
  const parts = figures.asOf === null ? emptyWorkspace : statusParts(figures, figures.asOf, explain)
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const emptyWorkspace = [
  '# Status briefing',
  '**There is nothing to report yet: the workspace holds no work items.**',
  'Import a feature with its whole tree, then ask for the briefing again:',
  '    studio import <featureId>\n    studio brief',
]

function statusParts(figures: Figures, asOf: string, explain: boolean): string[] {
  return [
    `# Status briefing, ${dateText(asOf)}`,
    `**${headline(figures)}**`,
    summary(figures),
    decisionsSection(decisionTexts(figures.features)),
    atRiskSection(figures.features),
    changesSection(figures.changes),
    progressSection(figures),
    blockersSection(figures.blockers),
    flowSection(figures.flow),
    unestimatedSection(figures.unestimated),
    notMovingSection(figures.staleItems),
    explain ? explanationText(figures, 'deterministic') : '',
    footnote(figures, asOf, explain),
  ]
}

function headline({ features, totals }: Figures): string {
  const all = features.length
  const risky = features.filter((feature) => feature.atRisk).length
  const progress = progressText(totals)
  if (all === 0) return `No feature is reported; ${progress}.`
  if (all === 1) return `${featureHeadline(features[0]!)}; ${progress}.`
  if (risky === all) return `All ${all} features are at risk; ${progress}.`
  if (risky > 0) return `${risky} of ${all} features ${agreeing(risky, 'is', 'are')} at risk; ${progress}.`
  return `${features.every(isDone) ? `All ${all} features are done` : `None of the ${all} features is at risk`}; ${progress}.`
}

function featureHeadline(feature: FeatureFigures): string {
  const verdict = isDone(feature) ? 'is done' : 'is not at risk'
  return `#${feature.id} ${asMarkdownText(feature.title)} ${feature.atRisk ? 'is at risk' : verdict}`
}

function progressText({ points, donePoints, items, doneItems }: Totals): string {
  if (items === 0) return 'all its items were removed'
  const [done, all, unit] = points > 0 ? [donePoints, points, 'point'] : [doneItems, items, 'item']
  const verb = agreeing(done, 'is', 'are')
  return `${number(done)} of ${number(all)} ${agreeing(all, unit, `${unit}s`)} ${verb} done (${percent(done / all)})`
}

function summary(figures: Figures): string {
  const { staleItems, totals } = figures
  const stale = staleItems.length
  const sentences = [
    blockedText(figures),
    stale > 0 &&
      `${count(stale, 'item')} in progress ${agreeing(stale, 'has', 'have')} not changed for ${STALE_DAYS} days or more`,
    totals.unestimated > 0 &&
      `${count(totals.unestimated, 'open backlog item')} ${agreeing(totals.unestimated, 'has', 'have')} no estimate, ` +
        'so more work is left than the points show',
  ]
  return sentences
    .filter((sentence) => sentence !== false)
    .map((sentence) => `${capitalized(sentence)}.`)
    .join(' ')
}

function blockedText({ blockers }: Figures): string {
  const heldUp = new Set(blockers.map((blocker) => blocker.id)).size
  return heldUp === 0
    ? 'nothing is blocked'
    : `${count(heldUp, 'item')} ${agreeing(heldUp, 'is', 'are')} blocked or waiting`
}

/** How the figures are made, and who wrote the text that it ends. */
export function explanationText({ features, rules }: Figures, mode: 'ai' | 'deterministic'): string {
  const isOrdered = features.some(({ priority }) => priority !== null)
  return [
    '## How the figures are made',
    '',
    ...(isOrdered
      ? ['- Features are in the order of the priorities that were set; the others follow, those at risk first.']
      : []),
    `- ${rules.totals}`,
    `- ${rules.atRisk}`,
    `- ${rules.changes}`,
    `- ${rules.flow}`,
    mode === 'ai'
      ? '- A language model wrote this text from the figures, and every figure in it was compared with them.'
      : '- This text was made from the figures by fixed rules; no language model took part.',
  ].join('\n')
}

function footnote({ totals, fetched, sources }: Figures, asOf: string, explain: boolean): string {
  const isAllNew = fetched?.from === asOf && fetched.to === asOf
  const from = fetched ? ` ${sourceText(sources)}${isAllNew ? '' : ` ${readText(fetched)}`}` : ''
  const method = explain ? '' : ' How the figures are made: `studio brief --explain`.'
  return `---\n\nAs of ${momentText(asOf)}, from ${count(totals.items, 'work item')}${from}.${method}`
}

function sourceText({ tracker, files }: Figures['sources']): string {
  if (files === 0) return 'read from the tracker'
  if (tracker === 0) return 'imported from files'
  return 'read from the tracker and from imported files'
}

function readText({ from, to }: { from: string; to: string }): string {
  const [first, last] = [momentText(from), momentText(to)]
  return first === last ? `on ${last}` : `between ${first} and ${last}`
}
