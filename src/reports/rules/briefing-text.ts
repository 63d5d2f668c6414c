import { atRiskSection, blockersSection, completedSection, notMovingSection, unestimatedSection } from './briefing-lists'
import { progressSection } from './briefing-progress'
import { RECENT_DAYS } from './facts'
import type { Figures } from './figures'
import { isDone } from './item'
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
    '# Status briefing',
    `**${headline(figures)}**`,
    summary(figures, asOf),
    atRiskSection(figures.features),
    progressSection(figures),
    blockersSection(figures.blockers),
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
  if (risky > 0) return `${risky} of ${count(all, 'feature')} ${agreeing(risky, 'is', 'are')} at risk; ${progress}.`
  if (features.every(isDone)) return `${all === 1 ? 'The feature is' : `All ${all} features are`} done; ${progress}.`
  return `${all === 1 ? 'The feature is not' : `None of the ${all} features is`} at risk; ${progress}.`
}

function progressText({ points, donePoints, items, doneItems }: Totals): string {
  if (items === 0) return 'all its items were removed'
  const [done, all, unit] = points > 0 ? [donePoints, points, 'point'] : [doneItems, items, 'item']
  const verb = agreeing(done, 'is', 'are')
  return `${number(done)} of ${number(all)} ${agreeing(all, unit, `${unit}s`)} ${verb} done (${percent(done / all)})`
}

function summary({ features, totals, outside, recentlyCompleted, staleItems, blockers }: Figures, asOf: string): string {
  const inside = totals.items - outside.items
  const doneInside = totals.doneItems - outside.doneItems
  const heldUp = new Set(blockers.map((blocker) => blocker.id)).size
  const sentences = [
    features.length > 0 &&
      `${count(features.length, 'feature')} ${agreeing(features.length, 'holds', 'hold')} ${count(inside, 'item')}, ${doneInside} of them done`,
    outside.items > 0 && `${count(outside.items, 'item')}, ${outside.doneItems} done, belong to no feature`,
    `${count(recentlyCompleted.length, 'item')} ${agreeing(recentlyCompleted.length, 'was', 'were')} completed in the ${RECENT_DAYS} days to ${dateText(asOf)}`,
    blockers.length === 0
      ? 'nothing is blocked'
      : `${count(blockers.length, 'blocker')} ${agreeing(blockers.length, 'holds', 'hold')} up ${count(heldUp, 'item')}`,
    staleItems.length > 0 &&
      `${count(staleItems.length, 'item')} in progress ${agreeing(staleItems.length, 'has', 'have')} not changed for ${STALE_DAYS} days or more`,
    totals.unestimated > 0 &&
      `${count(totals.unestimated, 'open backlog item')} ${agreeing(totals.unestimated, 'has', 'have')} no estimate, so the points understate what is left`,
  ]
  return sentences
    .filter((sentence) => sentence !== false)
    .map((sentence) => `${capitalized(sentence)}.`)
    .join(' ')
}

function sourcesSection({ totals, fetched, rules }: Figures, asOf: string): string {
  const read = fetched && readText(fetched)
  return [
    '## Where the figures come from',
    '',
    `- ${capitalized(count(totals.items, 'work item'))} of the local workspace${read}. Removed items are left out.`,
    `- Days are counted back from ${momentText(asOf)}, the newest moment that the workspace knows of; all dates are in UTC.`,
    `- ${rules.points}`,
    `- ${rules.atRisk}`,
  ].join('\n')
}

function readText({ from, to }: { from: string; to: string }): string {
  const [first, last] = [momentText(from), momentText(to)]
  return first === last ? `, read from the tracker on ${last}` : `, read from the tracker between ${first} and ${last}`
}
