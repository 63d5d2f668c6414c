import type { z } from 'zod'
import type { reportSummary } from '../../../src/reports/operations/report-summary'
import { doneAt } from '../../../src/reports/rules/facts'
import { dateText, momentText } from '../../../src/reports/rules/moments'
import { count, number, percent } from '../../../src/reports/rules/wording'
import { type Canvas, type Column, facts, fold, table } from '../../layout'
import { bar } from './bar'
import { foldPieces } from './fold-pieces'

type Summary = z.infer<typeof reportSummary.output>
type ItemFact = Summary['staleItems'][number]

/** What a leader asks first stands first; each part folds to the window. */
export function summary(answer: Summary, canvas: Canvas): string {
  if (answer.asOf === null) return 'Nothing is imported yet: studio import <featureId>\n'
  const parts = [
    overview(answer, answer.asOf, canvas),
    featureTable(answer, canvas),
    atRisk(answer, canvas),
    held(answer, canvas),
    flow(answer, canvas),
    list('Completed lately', answer.recentlyCompleted, completedText, canvas),
    list('Not moving', answer.staleItems, staleText, canvas),
    list('Not estimated', answer.unestimated, nameOf, canvas),
    groups('STATE', answer.byState, canvas),
    groups('TYPE', answer.byType, canvas),
    groups('ITERATION', answer.byIteration, canvas),
    groups('ASSIGNEE', answer.byAssignee, canvas),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function overview({ totals, completion, features }: Summary, asOf: string, canvas: Canvas): string {
  const risky = features.filter((feature) => feature.atRisk).length
  return facts(
    [
      ['As of', momentText(asOf)],
      ['Done', completion === null ? '-' : `${bar(completion, 10)} ${percent(completion)}`],
      ['Points', `${number(totals.donePoints)} of ${number(totals.points)}`],
      ['Items', `${totals.doneItems} of ${totals.items}`],
      ['Features at risk', `${risky} of ${features.length}`],
      ['Blockers', String(totals.blockers)],
      ['Not estimated', String(totals.unestimated)],
    ],
    canvas,
  )
}

/** Narrower, a table keeps what is told nowhere else. */
const ROOM_FOR_ALL_COLUMNS = 60

function isNarrow({ width }: Canvas): boolean {
  return width !== null && width < ROOM_FOR_ALL_COLUMNS
}

function featureTable({ features }: Summary, canvas: Canvas): string {
  if (features.length === 0) return ''
  const { paint } = canvas
  const [state, risk]: Column<Summary['features'][number]>[][] = isNarrow(canvas)
    ? [[], []]
    : [
        [{ title: 'STATE', text: ({ state }) => state }],
        [
          {
            title: 'RISK',
            text: ({ atRisk }) => (atRisk ? 'at risk' : '-'),
            paint: (text, { atRisk }) => (atRisk ? paint.bad(text) : paint.faint(text)),
          },
        ],
      ]
  return table(
    features,
    [
      { title: 'FEATURE', text: ({ id, title }) => `#${id} ${title}`, shrink: true },
      ...state!,
      { title: 'DONE', text: ({ completion }) => share(completion), align: 'right' },
      { title: 'POINTS', text: ({ donePoints, points }) => `${number(donePoints)}/${number(points)}`, align: 'right' },
      { title: 'BLOCKERS', text: ({ blockers }) => String(blockers), align: 'right' },
      ...risk!,
    ],
    canvas,
  )
}

function atRisk({ features, rules }: Summary, canvas: Canvas): string {
  const risky = features.filter((feature) => feature.atRisk)
  const lines = risky.flatMap(({ id, title, risks }) => [
    ...entry(`#${id} ${title}`, canvas, '! '),
    ...risks.flatMap(({ evidence }) => entry(evidence, canvas, '  - ')),
  ])
  const rule = risky.length > 0 ? `${canvas.paint.faint(fold(rules.atRisk, canvas.width))}\n` : ''
  return section('At risk', lines, canvas) + rule
}

function held({ blockers }: Summary, canvas: Canvas): string {
  return list('Blockers', blockers, ({ id, title, evidence }) => `#${id} ${title}: ${evidence}`, canvas)
}

const ROOM_FOR_BARS = 70

type FlowColumn = Column<NonNullable<Summary['flow']>['weeks'][number]>
const rest: FlowColumn[] = [
  { title: 'ITEMS LEFT', text: ({ remainingItems }) => String(remainingItems), align: 'right' },
  { title: 'POINTS LEFT', text: ({ remainingPoints }) => number(remainingPoints), align: 'right' },
]
const narrowRest: FlowColumn[] = [{ ...rest[0]!, title: 'LEFT' }]

function flow({ flow: moved }: Summary, canvas: Canvas): string {
  if (!moved) return ''
  const { throughput, cycleTime, weeks, notes } = moved
  const lines = [
    throughput &&
      `Throughput: ${number(throughput.items)} items and ${count(throughput.points, 'point')} a week, the mean of ${throughput.weeks} whole weeks`,
    cycleTime &&
      `Cycle time in days: ${number(cycleTime.p50)} at the 50th percentile, ${number(cycleTime.p85)} at the 85th, ${number(cycleTime.p95)} at the 95th, of ${cycleTime.items} items`,
    ...notes,
  ].filter((line) => line !== null)
  const isRoomy = canvas.width === null || canvas.width >= ROOM_FOR_BARS
  const most = Math.max(1, ...weeks.map(({ items }) => items))
  const burn =
    weeks.length === 0
      ? ''
      : table(
          weeks,
          [
            { title: 'WEEK OF', text: ({ week, isWhole }) => `${dateText(week)}${isWhole ? '' : ', so far'}` },
            isRoomy
              ? { title: 'DONE', text: ({ items }) => `${bar(items / most, 10)} ${items}` }
              : { title: 'DONE', text: ({ items }) => String(items), align: 'right' },
            { title: 'POINTS', text: ({ points }) => number(points), align: 'right' },
            ...(isNarrow(canvas) ? narrowRest : rest),
          ],
          canvas,
        )
  return (
    section(
      'Flow',
      lines.flatMap((line) => entry(line, canvas, '- ')),
      canvas,
    ) + burn
  )
}

/** As many as a person reads on a screen; a pipe gets all. */
const MOST_SHOWN = 10

function list<Fact>(title: string, all: readonly Fact[], textOf: (fact: Fact) => string, canvas: Canvas): string {
  const shown = canvas.width === null ? all : all.slice(0, MOST_SHOWN)
  const lines = shown.flatMap((fact) => entry(textOf(fact), canvas, '- '))
  const more = all.length - shown.length
  if (more > 0) lines.push(...entry(`and ${more} more: studio report summary | less`, canvas, '  '))
  return section(title, lines, canvas)
}

function section(title: string, lines: readonly string[], { paint }: Canvas): string {
  return lines.length === 0 ? '' : `${paint.strong(title)}\n${lines.map((line) => `${line}\n`).join('')}`
}

function entry(text: string, { width }: Canvas, mark: string): string[] {
  const left = width === null ? null : Math.max(12, width - mark.length)
  const lines = foldPieces([{ text, paint: (plain) => plain }], left)
  return lines.map((line, i) => (i === 0 ? mark : ' '.repeat(mark.length)) + line)
}

function nameOf({ id, title, type, assignedTo }: ItemFact): string {
  return `#${id} ${title} (${[type, assignedTo?.displayName].filter(Boolean).join(', ')})`
}

function completedText(fact: Summary['recentlyCompleted'][number]): string {
  return `${nameOf(fact)}, ${dateText(doneAt(fact))}`
}

function staleText(fact: ItemFact): string {
  return `${nameOf(fact)}: no change since ${dateText(fact.changedAt)}, ${count(fact.daysSinceChange, 'day')}`
}

function groups(title: string, entries: Summary['byState'], canvas: Canvas): string {
  if (entries.length === 0) return ''
  return table(
    entries,
    [
      { title, text: (group) => group.name ?? '(none)', shrink: true },
      { title: 'ITEMS', text: (group) => String(group.totals.items), align: 'right' },
      { title: 'POINTS', text: (group) => number(group.totals.points), align: 'right' },
      { title: 'DONE', text: (group) => share(group.completion), align: 'right' },
    ],
    canvas,
  )
}

function share(completion: number | null): string {
  return completion === null ? '-' : percent(completion)
}
