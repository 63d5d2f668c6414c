import { asMarkdownText } from '../../../src/reports/rules/markdown'
import { dateText } from '../../../src/reports/rules/moments'
import { count, number, percent } from '../../../src/reports/rules/wording'
import { type Hierarchy, type Node, walk } from './walk'

/** Lists within lists. */
export function hierarchyMarkdown({ features, unparented, generatedAt }: Hierarchy): string {
  const sections = [
    `# Features, ${dateText(generatedAt)}`,
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
  const name = `#${id} ${asMarkdownText(title)}`
  const facts = [
    asMarkdownText(type),
    asMarkdownText(state),
    assignedTo && asMarkdownText(assignedTo.displayName),
    points !== null && !isRemoved && `${number(points)} ${points === 1 ? 'point' : 'points'}`,
  ]
  const progress =
    children.length > 0 && completion !== null
      ? `: ${[percent(completion), totals.points > 0 && `${number(totals.donePoints)} of ${count(totals.points, 'point')}`, `${totals.doneItems} of ${count(totals.items, 'item')}`].filter(Boolean).join(', ')}`
      : ''
  const held = blockers.map(({ evidence }) => `; **blocked:** ${asMarkdownText(evidence)}`).join('')
  return `${isRemoved ? `~~${name}~~` : `**${name}**`} (${facts.filter(Boolean).join(', ')})${progress}${held}`
}
