import type { PhrasingContent, RootContent } from 'mdast'
import { isInline, text } from './nodes'

/** Converts blocks to the content of one table cell. Breaks separate lines, and list items keep their bullet or number. */
export function asInlines(nodes: readonly RootContent[]): PhrasingContent[] {
  const lines: PhrasingContent[][] = []
  let open: PhrasingContent[] | null = null
  for (const node of nodes) {
    if (!isInline(node)) {
      open = null
      lines.push(...linesOf(node))
    } else if (open) open.push(node)
    else {
      open = [node]
      lines.push(open)
    }
  }
  return lines.flatMap((line, index) => (index === 0 ? line : [{ type: 'break' }, ...line]))
}

function linesOf(node: RootContent): PhrasingContent[][] {
  switch (node.type) {
    case 'code':
      return node.value.split('\n').map((value) => [{ type: 'inlineCode', value }])
    case 'heading':
      return [[{ type: 'strong', children: node.children }]]
    case 'list':
      return node.children.map((item, index) => [
        text(node.ordered ? `${(node.start ?? 1) + index}. ` : '• '),
        ...asInlines(item.children),
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
