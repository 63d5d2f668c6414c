import { capitalize } from '../../kernel/text/text'
import type { BriefingFigures, FeatureFigures, Figures, Totals } from '../schemas'
import {
  formatBlocker,
  formatFeatureAtRisk,
  formatItem,
  formatStaleItem,
  renderChangesSection,
  renderDecisionsSection,
  renderFlowSection,
  renderListSection,
  renderProgressSection,
  renderTrackersSection,
} from './briefing-sections'
import { formatDate, formatDateTime } from './dates'
import { isDone } from './report-item'
import { STALE_DAYS } from './risks'
import { formatCount, formatNumber, formatPercent, inflect, nameInMarkdown } from './wording'

/** The status briefing in Markdown. A pure function of the figures, so that the same workspace always gives the same text. */
export function renderBriefing(figures: BriefingFigures, { explain = false }: { explain?: boolean } = {}): string {
  const parts = figures.asOf === null ? EMPTY_WORKSPACE_PARTS : renderParts(figures, figures.asOf, explain)
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const EMPTY_WORKSPACE_PARTS = [
  '# Status briefing',
  '**There is nothing to report yet: the workspace holds no work items.**',
  'Import a feature with its whole tree, then ask for the briefing again:',
  '    studio import <featureId>\n    studio brief',
]

function renderParts(figures: BriefingFigures, asOf: string, explain: boolean): string[] {
  const atRisk = figures.features.filter((feature) => feature.atRisk)
  return [
    `# Status briefing, ${formatDate(asOf)}`,
    `**${formatHeadline(figures)}**`,
    formatSummary(figures),
    renderDecisionsSection(atRisk),
    renderListSection('At risk', atRisk, formatFeatureAtRisk),
    renderChangesSection(figures.changes),
    renderProgressSection(figures),
    renderTrackersSection(figures),
    renderListSection('Blockers', figures.blockers, (blocker) => formatBlocker(blocker, figures.features)),
    renderFlowSection(figures.flow),
    renderListSection('Not estimated', figures.unestimated, formatItem),
    renderListSection('Not moving', figures.staleItems, formatStaleItem),
    explain ? renderExplanation(figures, 'deterministic') : '',
    formatFootnote(figures, asOf, explain),
  ]
}

function formatHeadline({ features, totals }: Figures): string {
  const all = features.length
  const risky = features.filter((feature) => feature.atRisk).length
  const progress = formatProgress(totals)
  if (all === 0) return `No feature is reported; ${progress}.`
  if (all === 1) return `${formatFeatureHeadline(features[0]!)}; ${progress}.`
  if (risky === all) return `All ${all} features are at risk; ${progress}.`
  if (risky > 0) return `${risky} of ${all} features ${inflect(risky, 'is', 'are')} at risk; ${progress}.`
  return `${features.every(isDone) ? `All ${all} features are done` : `None of the ${all} features is at risk`}; ${progress}.`
}

function formatFeatureHeadline(feature: FeatureFigures): string {
  const verdict = isDone(feature) ? 'is done' : 'is not at risk'
  return `${nameInMarkdown(feature)} ${feature.atRisk ? 'is at risk' : verdict}`
}

function formatProgress({ points, donePoints, items, doneItems }: Totals): string {
  if (items === 0) return 'all its items were removed'
  const [done, all, unit] = points > 0 ? [donePoints, points, 'point'] : [doneItems, items, 'item']
  const verb = inflect(done, 'is', 'are')
  return `${formatNumber(done)} of ${formatNumber(all)} ${inflect(all, unit, `${unit}s`)} ${verb} done (${formatPercent(done / all)})`
}

function formatSummary(figures: BriefingFigures): string {
  const { staleItems, totals, forecast = null } = figures
  const stale = staleItems.length
  const sentences = [
    formatBlockedCount(figures),
    stale > 0 &&
      `${formatCount(stale, 'item')} in progress ${inflect(stale, 'has', 'have')} not changed for ${STALE_DAYS} days or more`,
    totals.unestimated > 0 &&
      `${formatCount(totals.unestimated, 'open backlog item')} ${inflect(totals.unestimated, 'has', 'have')} no estimate, ` +
        'so more work is left than the points show',
    forecast,
  ]
  return sentences
    .filter((sentence) => sentence !== false && sentence !== null)
    .map((sentence) => `${capitalize(sentence)}.`)
    .join(' ')
}

function formatBlockedCount({ blockers }: Figures): string {
  const heldUp = new Set(blockers.map((blocker) => blocker.id)).size
  return heldUp === 0
    ? 'nothing is blocked'
    : `${formatCount(heldUp, 'item')} ${inflect(heldUp, 'is', 'are')} blocked or waiting`
}

/** Explains how the figures are made and who wrote the text. */
export function renderExplanation({ features, rules }: Figures, mode: 'ai' | 'deterministic'): string {
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

function formatFootnote({ totals, fetched, sources, byTracker }: Figures, asOf: string, explain: boolean): string {
  const isAllNew = fetched?.from === asOf && fetched.to === asOf
  const from = fetched
    ? ` ${formatSources(sources, byTracker.length)}${isAllNew ? '' : ` ${formatFetchedRange(fetched)}`}`
    : ''
  const method = explain ? '' : ' How the figures are made: `studio brief --explain`.'
  return `---\n\nAs of ${formatDateTime(asOf)}, from ${formatCount(totals.items, 'work item')}${from}.${method}`
}

function formatSources({ tracker, files }: Figures['sources'], trackers: number): string {
  const read = `read from ${trackers > 1 ? formatCount(trackers, 'tracker') : 'the tracker'}`
  if (files === 0) return read
  if (tracker === 0) return 'imported from files'
  return `${read} and from imported files`
}

function formatFetchedRange({ from, to }: { from: string; to: string }): string {
  const [first, last] = [formatDateTime(from), formatDateTime(to)]
  return first === last ? `on ${last}` : `between ${first} and ${last}`
}
