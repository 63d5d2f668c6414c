import { flowSection } from './briefing-flow'
import {
  atRiskSection,
  blockersSection,
  completedSection,
  notMovingSection,
  unestimatedSection,
} from './briefing-lists'
import { progressSection } from './briefing-progress'
import { RECENT_DAYS } from './facts'
import type { FeatureFigures } from './feature-figures'
import type { Figures } from './figures'
import { isDone } from './item'
import { asMarkdownText } from './markdown'
import { dateText, momentText } from './moments'
import { STALE_DAYS } from './risks'
import type { Totals } from './totals'
import { agreeing, capitalized, count, number, percent } from './wording'

/** The status briefing in Markdown: a pure function of the figures, so that the same workspace gives the same bytes. */
export function briefingText(figures: Figures): string {
  const parts = figures.asOf === null ? emptyWorkspace : statusParts(figures, figures.asOf)
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const emptyWorkspace = [
  '# Status briefing',
  '**There is nothing to report yet: the workspace holds no work items.**',
  'Import a feature with its whole tree, then ask for the briefing again:',
  '    studio import <featureId>\n    studio brief',
]

function statusParts(figures: Figures, asOf: string): string[] {
  return [
    `# Status briefing, ${dateText(asOf)}`,
    `**${headline(figures)}**`,
    summary(figures, asOf),
    atRiskSection(figures.features),
    progressSection(figures),
    blockersSection(figures.blockers),
    flowSection(figures.flow),
    completedSection(figures.recentlyCompleted),
    unestimatedSection(figures.unestimated),
    notMovingSection(figures.staleItems),
    sourcesSection(figures, asOf),
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

function summary(figures: Figures, asOf: string): string {
  const { recentlyCompleted, staleItems, totals } = figures
  const completed = recentlyCompleted.length
  const stale = staleItems.length
  const sentences = [
    ...extentTexts(figures),
    `${count(completed, 'item')} ${agreeing(completed, 'was', 'were')} completed in the ${RECENT_DAYS} days to ${dateText(asOf)}`,
    blockedText(figures),
    stale > 0 &&
      `${count(stale, 'item')} in progress ${agreeing(stale, 'has', 'have')} not changed for ${STALE_DAYS} days or more`,
    totals.unestimated > 0 &&
      `${count(totals.unestimated, 'open backlog item')} ${agreeing(totals.unestimated, 'has', 'have')} no estimate, ` +
        'so the points understate what is left',
  ]
  return sentences
    .filter((sentence) => sentence !== false)
    .map((sentence) => `${capitalized(sentence)}.`)
    .join(' ')
}

function extentTexts({ features, totals, outside }: Figures): string[] {
  const n = features.length
  const [items, done] = [totals.items - outside.items, totals.doneItems - outside.doneItems]
  const subject = agreeing(n, 'the feature comprises', `the ${n} features comprise`)
  const held = `${subject} ${count(items, 'item')}, ${doneText(done)}`
  const belong = agreeing(outside.items, 'belongs', 'belong')
  const others = `${count(outside.items, 'item')}, ${doneText(outside.doneItems)}, ${belong} to no feature`
  return [...(n > 0 ? [held] : []), ...(outside.items > 0 ? [others] : [])]
}

function doneText(done: number): string {
  return `${done === 0 ? 'none' : done} of them done`
}

function blockedText({ blockers }: Figures): string {
  const n = blockers.length
  const heldUp = new Set(blockers.map((blocker) => blocker.id)).size
  return n === 0
    ? 'nothing is blocked'
    : `${count(n, 'blocker')} ${agreeing(n, 'holds', 'hold')} up ${count(heldUp, 'item')}`
}

function sourcesSection({ totals, fetched, features, rules }: Figures, asOf: string): string {
  const read = fetched ? readText(fetched) : ''
  const isOrdered = features.some(({ priority }) => priority !== null)
  return [
    '## Where the figures come from',
    '',
    `- ${capitalized(count(totals.items, 'work item'))} of the local workspace${read}. Removed items are left out.`,
    `- Days are counted back from ${momentText(asOf)}, the newest moment that the workspace knows of; all dates are in UTC.`,
    ...(isOrdered
      ? [
          '- Features stand in the order of the priorities that were set; those without one follow, those at risk first.',
        ]
      : []),
    `- ${rules.totals}`,
    `- ${rules.atRisk}`,
    '- This text was made from the figures by fixed rules; no language model took part.',
  ].join('\n')
}

function readText({ from, to }: { from: string; to: string }): string {
  const [first, last] = [momentText(from), momentText(to)]
  return first === last ? `, read from the tracker on ${last}` : `, read from the tracker between ${first} and ${last}`
}
