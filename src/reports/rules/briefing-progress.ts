import type { FeatureFigures } from './feature-figures'
import type { Figures } from './figures'
import { asMarkdownText, progressBar, table } from './markdown'
import { completionOf, noTotals, plus, type Totals } from './totals'
import { number, percent } from './wording'

export const MOST_ROWS = 50

/** A row a feature, whose last row is the sum of those above it. */
export function progressSection({ features, outside, totals }: Figures): string {
  const rows = features.slice(0, MOST_ROWS).map(featureRow)
  if (features.length > rows.length) rows.push(restRow(features.slice(rows.length)))
  if (outside.items > 0) rows.push(row('Outside the features', '', outside))
  if (rows.length > 1) rows.push(row('**Total**', '', totals))
  if (rows.length === 0) return ''
  return `## Progress\n\n${table(['Feature', 'State', 'Progress', 'Points done', 'Items done', 'Blockers'], rows)}`
}

function featureRow(feature: FeatureFigures): string[] {
  return row(`#${feature.id} ${asMarkdownText(feature.title)}`, asMarkdownText(feature.state), feature)
}

/** What the table has no room for, so that it still sums up. */
function restRow(features: readonly FeatureFigures[]): string[] {
  return row(`and ${features.length} more`, '', features.reduce<Totals>(plus, noTotals))
}

function row(name: string, state: string, totals: Totals): string[] {
  const completion = completionOf(totals)
  return [
    name,
    state,
    completion === null ? '' : `${progressBar(completion)} ${percent(completion)}`,
    totals.points > 0 ? `${number(totals.donePoints)} of ${number(totals.points)}` : 'none estimated',
    `${totals.doneItems} of ${totals.items}`,
    String(totals.blockers),
  ]
}
