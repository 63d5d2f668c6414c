import { formatDateTime } from '../../../src/reports/rules/dates'
import { formatNumber, formatPercent } from '../../../src/reports/rules/wording'
import { type Canvas, type Column, facts, table, wrapText } from '../../terminal/layout'
import { renderBar } from './bar'
import {
  blockersOf,
  type Feature,
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
  type Week,
  weekText,
} from './summary-texts'
import { wrapPieces } from './wrap-pieces'

/** The most important parts first, each wrapped to the window. */
export function renderSummary(answer: Summary, canvas: Canvas): string {
  if (answer.asOf === null) return 'Nothing is imported yet: studio import <featureId>\n'
  const parts = [
    overview(answer, answer.asOf, canvas),
    featureTable(answer, canvas),
    atRisk(answer, canvas),
    list(blockersOf(answer), canvas),
    flow(answer, canvas),
    ...listsOf(answer).map((entries) => list(entries, canvas)),
    ...groupingsOf(answer).map(([noun, entries]) => groups(noun.toUpperCase(), entries, canvas)),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function overview(answer: Summary, asOf: string, canvas: Canvas): string {
  const { completion } = answer
  return facts(canvas, [
    ['As of', formatDateTime(asOf)],
    ['Done', completion === null ? '-' : `${renderBar(completion, 10)} ${formatPercent(completion)}`],
    ...overviewOf(answer),
  ])
}

/** A narrower table omits columns whose content is shown elsewhere. */
const MIN_WIDTH_FOR_ALL_COLUMNS = 60

function isNarrow({ width }: Canvas): boolean {
  return width !== null && width < MIN_WIDTH_FOR_ALL_COLUMNS
}

function featureTable({ features }: Summary, canvas: Canvas): string {
  if (features.length === 0) return ''
  const { colors } = canvas
  const [state, risk]: Column<Feature>[][] = isNarrow(canvas)
    ? [[], []]
    : [
        [{ title: 'STATE', text: ({ state }) => state }],
        [
          {
            title: 'RISK',
            text: ({ atRisk }) => (atRisk ? 'at risk' : '-'),
            color: (text, { atRisk }) => (atRisk ? colors.bad(text) : colors.faint(text)),
          },
        ],
      ]
  return table(canvas, features, [
    { title: 'FEATURE', text: ({ reference, title }) => `${reference} ${title}`, shrink: 'cut' },
    ...state!,
    { title: 'DONE', text: ({ completion }) => share(completion), align: 'right' },
    {
      title: 'POINTS',
      text: ({ donePoints, points }) => `${formatNumber(donePoints)}/${formatNumber(points)}`,
      align: 'right',
    },
    { title: 'BLOCKERS', text: ({ blockers }) => String(blockers), align: 'right' },
    ...risk!,
  ])
}

function atRisk(answer: Summary, canvas: Canvas): string {
  const risky = riskyOf(answer)
  const lines = risky.flatMap(({ reference, title, risks }) => [
    ...entry(`${reference} ${title}`, canvas, '! '),
    ...risks.flatMap(({ evidence }) => entry(evidence, canvas, '  - ')),
  ])
  const rule = risky.length > 0 ? `${canvas.colors.faint(wrapText(answer.rules.atRisk, canvas.width))}\n` : ''
  return section('At risk', lines, canvas) + rule
}

const MIN_WIDTH_FOR_BARS = 70

type FlowColumn = Column<Week>
const rest: FlowColumn[] = [
  { title: 'ITEMS LEFT', text: ({ remainingItems }) => String(remainingItems), align: 'right' },
  { title: 'POINTS LEFT', text: ({ remainingPoints }) => formatNumber(remainingPoints), align: 'right' },
]
const narrowRest: FlowColumn[] = [{ ...rest[0]!, title: 'LEFT' }]

function flow({ flow: moved }: Summary, canvas: Canvas): string {
  if (!moved) return ''
  const { weeks } = moved
  const isRoomy = canvas.width === null || canvas.width >= MIN_WIDTH_FOR_BARS
  const most = Math.max(1, ...weeks.map(({ items }) => items))
  const burn =
    weeks.length === 0
      ? ''
      : table(canvas, weeks, [
          { title: 'WEEK OF', text: weekText },
          isRoomy
            ? { title: 'DONE', text: ({ items }) => `${renderBar(items / most, 10)} ${items}` }
            : { title: 'DONE', text: ({ items }) => String(items), align: 'right' },
          { title: 'POINTS', text: ({ points }) => formatNumber(points), align: 'right' },
          ...(isNarrow(canvas) ? narrowRest : rest),
        ])
  return (
    section(
      'Flow',
      flowTexts(moved).flatMap((line) => entry(line, canvas, '- ')),
      canvas,
    ) + burn
  )
}

/** On a terminal; a pipe gets all lines. */
const MAX_LINES = 10

function list({ title, lines: all }: Lines, canvas: Canvas): string {
  const shown = canvas.width === null ? all : all.slice(0, MAX_LINES)
  const lines = shown.flatMap((line) => entry(line, canvas, '- '))
  const more = all.length - shown.length
  if (more > 0) lines.push(...entry(`and ${more} more: studio report summary | less`, canvas, '  '))
  return section(title, lines, canvas)
}

function section(title: string, lines: readonly string[], { colors }: Canvas): string {
  return lines.length === 0 ? '' : `${colors.strong(title)}\n${lines.map((line) => `${line}\n`).join('')}`
}

function entry(text: string, { width }: Canvas, mark: string): string[] {
  const left = width === null ? null : Math.max(12, width - mark.length)
  const lines = wrapPieces([{ text, color: (plain) => plain }], left)
  return lines.map((line, i) => (i === 0 ? mark : ' '.repeat(mark.length)) + line)
}

function groups(title: string, entries: readonly Group[], canvas: Canvas): string {
  return table(canvas, entries, [
    { title, text: groupName, shrink: 'cut' },
    { title: 'ITEMS', text: (group) => String(group.totals.items), align: 'right' },
    { title: 'POINTS', text: (group) => formatNumber(group.totals.points), align: 'right' },
    { title: 'DONE', text: (group) => share(group.completion), align: 'right' },
  ])
}
