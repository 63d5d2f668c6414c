import type { PhrasingContent, RootContent } from 'mdast'
import { isInline, text } from './nodes'

/** Converts blocks to the content of one table cell. Breaks separate lines, and list items keep their bullet or number. */
export function asInlines(nodes: readonly RootContent[], level = 0): PhrasingContent[] {
  const lines: PhrasingContent[][] = []
  let open: PhrasingContent[] | null = null
  for (const node of nodes) {
    if (!isInline(node)) {
      open = null
      lines.push(...linesOf(node, level))
    } else if (open) open.push(node)
    else {
      open = [node]
      lines.push(open)
    }
  }
  return lines.flatMap((line, index) => (index === 0 ? line : [{ type: 'break' }, ...line]))
}

/** The bullets of a list, of a list in it, and of those in that. A cell has no indents. */
const BULLETS = ['•', '◦', '▪']

function linesOf(node: RootContent, level: number): PhrasingContent[][] {
  switch (node.type) {
    case 'code':
      return node.value.split('\n').map((value) => [{ type: 'inlineCode', value }])
    case 'heading':
      return [[{ type: 'strong', children: node.children }]]
    case 'list':
      return node.children.map((item, index) => [
        text(node.ordered ? `${(node.start ?? 1) + index}. ` : `${BULLETS[Math.min(level, BULLETS.length - 1)]} `),
        ...asInlines(item.children, level + 1),
      ])
    case 'table':
      return node.children.map((row) =>
        row.children.flatMap((cell, index) => [
          ...(index === 0 ? [] : [text(' | ')]),
          ...asInlines(cell.children as RootContent[]),
        ]),
      )
    default:
      return 'children' in node ? [asInlines(node.children as RootContent[])] : []
  }
}
