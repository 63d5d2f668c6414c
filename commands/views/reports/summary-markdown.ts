import { formatDate, formatDateTime } from '../../../src/reports/rules/dates'
import {
  escapeMarkdown,
  formatNumber,
  formatPercent,
  nameInMarkdown,
  renderProgressBar,
  renderTable,
} from '../../../src/reports/rules/wording'
import {
  blockersOf,
  flowTexts,
  type Group,
  groupingsOf,
  groupName,
  type Lines,
  listsOf,
  overviewOf,
  riskyOf,
  type Summary,
  share,
  weekText,
} from './summary-texts'

/** The parts of the terminal's view with complete lists, and how the figures are made. */
export function renderSummaryMarkdown(answer: Summary): string {
  const { asOf } = answer
  if (asOf === null) return '# Leadership summary\n\nNothing is imported yet: `studio import <featureId>`\n'
  const parts = [
    `# Leadership summary, ${formatDate(asOf)}`,
    overview(answer, asOf),
    features(answer),
    atRisk(answer),
    list(blockersOf(answer)),
    flow(answer),
    ...listsOf(answer).map(list),
    ...groupingsOf(answer).map(([noun, groups]) => grouping(noun, groups)),
    sources(answer),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function overview(answer: Summary, asOf: string): string {
  const pairs = [['As of', formatDateTime(asOf)], ['Done', barText(answer.completion)], ...overviewOf(answer)]
  return pairs.map(([name, text]) => `- **${name}:** ${text}`).join('\n')
}

function features({ features: all }: Summary): string {
  const rows = all.map((feature) => [
    nameInMarkdown(feature),
    escapeMarkdown(feature.state),
    barText(feature.completion),
    `${formatNumber(feature.donePoints)} of ${formatNumber(feature.points)}`,
    `${feature.doneItems} of ${feature.items}`,
    String(feature.blockers),
    feature.atRisk ? '**at risk**' : '-',
  ])
  const heads = ['Feature', 'State', 'Done', 'Points done', 'Items done', 'Blockers', 'Risk']
  return rows.length === 0 ? '' : `## Features\n\n${renderTable(heads, rows)}`
}

function atRisk(answer: Summary): string {
  const risky = riskyOf(answer).map((feature) => {
    const reasons = feature.risks.map(({ evidence }) => escapeMarkdown(evidence)).join('; ')
    return `- **${nameInMarkdown(feature)}**: ${reasons}`
  })
  return risky.length === 0 ? '' : `## At risk\n\n${risky.join('\n')}`
}

function list({ title, lines }: Lines): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.map((line) => `- ${escapeMarkdown(line)}`).join('\n')}`
}

function flow({ flow: moved }: Summary): string {
  const facts = list({ title: 'Flow', lines: flowTexts(moved) })
  const weeks = (moved?.weeks ?? []).map((week) => [
    weekText(week),
    String(week.items),
    formatNumber(week.points),
    String(week.remainingItems),
    formatNumber(week.remainingPoints),
  ])
  if (weeks.length === 0) return facts
  const burn = renderTable(['Week of', 'Items done', 'Points done', 'Items left', 'Points left'], weeks)
  return `${facts || '## Flow'}\n\n${burn}`
}

function grouping(noun: string, groups: readonly Group[]): string {
  const rows = groups.map((group) => [
    escapeMarkdown(groupName(group)),
    String(group.totals.items),
    formatNumber(group.totals.points),
    share(group.completion),
  ])
  return `## By ${noun.toLowerCase()}\n\n${renderTable([noun, 'Items', 'Points', 'Done'], rows)}`
}

/** The rules are our own text and already Markdown. */
function sources({ rules }: Summary): string {
  const lines = Object.values(rules).map((rule) => `- ${rule}`)
  return `## How the figures are made\n\n${lines.join('\n')}`
}

function barText(completion: number | null): string {
  return completion === null ? '-' : `${renderProgressBar(completion)} ${formatPercent(completion)}`
}
