import { asMarkdownText, progressBar, table } from '../../../src/reports/rules/markdown'
import { dateText, momentText } from '../../../src/reports/rules/moments'
import { number, percent } from '../../../src/reports/rules/wording'
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

/** The parts of the terminal's view, and how the figures are made. Nothing is left out: lists are as long as they are. */
export function summaryMarkdown(answer: Summary): string {
  const { asOf } = answer
  if (asOf === null) return '# Leadership summary\n\nNothing is imported yet: `studio import <featureId>`\n'
  const parts = [
    `# Leadership summary, ${dateText(asOf)}`,
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
  const pairs = [['As of', momentText(asOf)], ['Done', barText(answer.completion)], ...overviewOf(answer)]
  return pairs.map(([name, text]) => `- **${name}:** ${text}`).join('\n')
}

function features({ features: all }: Summary): string {
  const rows = all.map((feature) => [
    `#${feature.id} ${asMarkdownText(feature.title)}`,
    asMarkdownText(feature.state),
    barText(feature.completion),
    `${number(feature.donePoints)} of ${number(feature.points)}`,
    `${feature.doneItems} of ${feature.items}`,
    String(feature.blockers),
    feature.atRisk ? '**at risk**' : '-',
  ])
  const heads = ['Feature', 'State', 'Done', 'Points done', 'Items done', 'Blockers', 'Risk']
  return rows.length === 0 ? '' : `## Features\n\n${table(heads, rows)}`
}

function atRisk(answer: Summary): string {
  const risky = riskyOf(answer).map(({ id, title, risks }) => {
    const reasons = risks.map(({ evidence }) => asMarkdownText(evidence)).join('; ')
    return `- **#${id} ${asMarkdownText(title)}**: ${reasons}`
  })
  return risky.length === 0 ? '' : `## At risk\n\n${risky.join('\n')}`
}

function list({ title, lines }: Lines): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.map((line) => `- ${asMarkdownText(line)}`).join('\n')}`
}

function flow({ flow: moved }: Summary): string {
  const told = list({ title: 'Flow', lines: flowTexts(moved) })
  const weeks = (moved?.weeks ?? []).map((week) => [
    weekText(week),
    String(week.items),
    number(week.points),
    String(week.remainingItems),
    number(week.remainingPoints),
  ])
  if (weeks.length === 0) return told
  const burn = table(['Week of', 'Items done', 'Points done', 'Items left', 'Points left'], weeks)
  return `${told || '## Flow'}\n\n${burn}`
}

function grouping(noun: string, groups: readonly Group[]): string {
  const rows = groups.map((group) => [
    asMarkdownText(groupName(group)),
    String(group.totals.items),
    number(group.totals.points),
    share(group.completion),
  ])
  return `## By ${noun.toLowerCase()}\n\n${table([noun, 'Items', 'Points', 'Done'], rows)}`
}

/** The rules are words of our own, and Markdown already. */
function sources({ rules }: Summary): string {
  const lines = Object.values(rules).map((rule) => `- ${rule}`)
  return `## How the figures are made\n\n${lines.join('\n')}`
}

function barText(completion: number | null): string {
  return completion === null ? '-' : `${progressBar(completion)} ${percent(completion)}`
}
