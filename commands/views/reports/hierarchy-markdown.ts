import { formatDate } from '../../../src/reports/rules/dates'
import { escapeMarkdown, formatCount, formatNumber, formatPercent } from '../../../src/reports/rules/wording'
import { type Hierarchy, type Node, walk } from './walk'

/** Lists within lists. */
export function renderHierarchyMarkdown({ features, unparented, generatedAt }: Hierarchy): string {
  const sections = [
    `# Features, ${formatDate(generatedAt)}`,
    features.length === 0 ? 'There is no feature in the workspace.' : listOf(features),
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
  const { id, type, title, state, assignedTo, points, totals, completion, blockers, children } = node
  const isRemoved = node.stateCategory === 'Removed'
  const name = `#${id} ${escapeMarkdown(title)}`
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
