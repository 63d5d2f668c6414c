import { formatDate } from '../../../src/reports/rules/dates'
import {
  escapeMarkdown,
  formatCount,
  formatNumber,
  formatPercent,
  nameInMarkdown,
} from '../../../src/reports/rules/wording'
import { type Canvas, table } from '../../terminal/layout'
import { type Cell, onOneLine, renderCsv } from '../csv'
import { getStateMark, type Hierarchy, type Node, type Step, walk } from './hierarchy-nodes'

/** A row for each item, indented by its depth. */
export function renderHierarchyTable({ features, unparented }: Hierarchy, canvas: Canvas): string {
  const steps = [...features, ...unparented].flatMap((root) => [...walk(root)])
  if (steps.length === 0) return 'Nothing is imported yet: studio import <featureId>\n'
  return table(canvas, steps, [
    { title: 'ID', text: ({ node }) => node.reference, align: 'right' },
    // Dots, because a table trims spaces at the edge of a cell.
    { title: 'TITLE', text: ({ node, depth }) => `${'· '.repeat(depth)}${node.title}`, shrink: 'wrap' },
    { title: 'TYPE', text: ({ node }) => node.type },
    { title: 'STATE', text: ({ node }) => `${getStateMark(node).sign} ${node.state}` },
    { title: 'ASSIGNED TO', text: ({ node }) => node.assignedTo?.displayName ?? '-' },
    {
      title: 'DONE',
      text: ({ node }) => (node.completion === null ? '-' : formatPercent(node.completion)),
      align: 'right',
    },
    {
      title: 'POINTS',
      text: ({ node: { totals } }) => `${formatNumber(totals.donePoints)}/${formatNumber(totals.points)}`,
      align: 'right',
    },
    { title: 'BLOCKERS', text: ({ node }) => String(node.totals.blockers), align: 'right' },
  ])
}

interface Row extends Step {
  root: Node
  /** `feature`, or `unparented` for items without a feature. */
  group: string
}

const columns: readonly (readonly [string, (row: Row) => Cell])[] = [
  ['id', ({ node }) => node.id],
  ['parentId', ({ node }) => node.parentId],
  ['group', ({ group }) => group],
  ['rootId', ({ root }) => root.id],
  ['depth', ({ depth }) => depth],
  ['type', ({ node }) => node.type],
  ['title', ({ node }) => node.title],
  ['state', ({ node }) => node.state],
  ['stateCategory', ({ node }) => node.stateCategory],
  ['assignedTo', ({ node }) => node.assignedTo?.displayName ?? null],
  ['points', ({ node }) => node.points],
  ['totalPoints', ({ node }) => node.totals.points],
  ['donePoints', ({ node }) => node.totals.donePoints],
  ['totalItems', ({ node }) => node.totals.items],
  ['doneItems', ({ node }) => node.totals.doneItems],
  ['unestimated', ({ node }) => node.totals.unestimated],
  ['blockers', ({ node }) => node.totals.blockers],
  ['completion', ({ node }) => node.completion],
  ['blockedBy', ({ node }) => node.blockers.map(({ evidence }) => evidence).join('; ') || null],
  ['tracker', ({ node }) => node.tracker],
  ['reference', ({ node }) => node.reference],
]

/** A header line, then a line for each item. */
export function renderHierarchyCsv({ features, unparented }: Hierarchy): string {
  const lines: Cell[][] = [columns.map(([name]) => name)]
  for (const [group, roots] of [['feature', features] as const, ['unparented', unparented] as const])
    for (const root of roots)
      for (const step of walk(root))
        lines.push(columns.map(([, cellOf]) => onOneLine(cellOf({ ...step, root, group }))))
  return renderCsv(lines)
}

/** Nested lists. */
export function renderHierarchyMarkdown({ features, unparented, generatedAt }: Hierarchy): string {
  const sections = [
    `# Features, ${formatDate(generatedAt)}`,
    features.length === 0 ? 'There are no features in the workspace.' : listOf(features),
    ...(unparented.length > 0 ? ['## Under no feature', listOf(unparented)] : []),
  ]
  return `${sections.join('\n\n')}\n`
}

function listOf(roots: readonly Node[]): string {
  const lines: string[] = []
  for (const root of roots)
    for (const { node, depth } of walk(root)) lines.push(`${'  '.repeat(depth)}- ${nodeText(node)}`)
  return lines.join('\n')
}

function nodeText(node: Node): string {
  const { type, state, assignedTo, points, totals, completion, blockers, children } = node
  const isRemoved = node.stateCategory === 'Removed'
  const name = nameInMarkdown(node)
  const facts = [
    escapeMarkdown(type),
    escapeMarkdown(state),
    assignedTo && escapeMarkdown(assignedTo.displayName),
    points !== null && !isRemoved && `${formatNumber(points)} ${points === 1 ? 'point' : 'points'}`,
  ]
  const progress =
    children.length > 0 && completion !== null
      ? `: ${[formatPercent(completion), totals.points > 0 && `${formatNumber(totals.donePoints)} of ${formatCount(totals.points, 'point')}`, `${totals.doneItems} of ${formatCount(totals.items, 'item')}`].filter(Boolean).join(', ')}`
      : ''
  const held = blockers.map(({ evidence }) => `; **blocked:** ${escapeMarkdown(evidence)}`).join('')
  return `${isRemoved ? `~~${name}~~` : `**${name}**`} (${facts.filter(Boolean).join(', ')})${progress}${held}`
}
