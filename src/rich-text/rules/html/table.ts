import type { RootContent, TableCell } from 'mdast'
import { limits } from '../limits'
import { hasBlock, isElement, isShown } from './build'
import type { Element, HtmlNode } from './nodes'

/** Converts the content of a cell to Markdown nodes. */
type NodesOf = (children: readonly HtmlNode[]) => RootContent[]

/**
 * Converts a table. Its first row becomes the header, even if the source has no `th`. A layout table (one cell, nested tables, or
 * one column of blocks) is replaced by the content of its cells. A first row with one cell over all columns is a title and becomes
 * a paragraph.
 */
export function tableNodes(table: Element, nodesOf: NodesOf): RootContent[] {
  const asBlock = (cell: Element) => separate(nodesOf(cell.children))
  const asCell = (cell: Element | null) => cellNode(cell ? nodesOf(cell.children) : [])
  const rows = rowsOf(table).filter((row) => row.some(isShown))
  if (isLayout(rows)) return rows.flat().flatMap(asBlock)
  const [first = [], ...more] = rows
  const isTitled = first.length === 1 && more.some((row) => row.length > 1)
  const children = grid(isTitled ? more : rows).map((row) => ({
    type: 'tableRow' as const,
    children: row.map(asCell),
  }))
  return [...(isTitled ? first.flatMap(asBlock) : []), { type: 'table', children }]
}

/** Separates nodes from their neighbours by empty blocks. */
function separate(nodes: RootContent[]): RootContent[] {
  return [{ type: 'paragraph', children: [] }, ...nodes, { type: 'paragraph', children: [] }]
}

function cellNode(children: RootContent[]): TableCell {
  return { type: 'tableCell', children: children as TableCell['children'] }
}

function rowsOf(table: Element): Element[][] {
  return table.children
    .filter((child) => isElement(child, 'tr'))
    .map((row) => row.children.filter((cell) => isElement(cell, 'td', 'th')))
}

function isLayout(rows: readonly Element[][]): boolean {
  const cells = rows.flat()
  if (cells.length <= 1 || cells.some(holdsTable)) return true
  return rows.every((row) => row.length === 1) && cells.some((cell) => hasBlock(cell.children))
}

function holdsTable(node: Element): boolean {
  return node.children.some((child) => child.type === 'element' && (child.tagName === 'table' || holdsTable(child)))
}

/** Returns rows with an entry for each column. A cell that spans several columns or rows leaves the other entries empty. */
function grid(rows: readonly Element[][]): (Element | null)[][] {
  const area = rows.flat().reduce((sum, cell) => sum + columnsOf(cell) * rowsOfCell(cell, rows.length), 0)
  if (area > limits.tableCells) return rows.map((cells) => [...cells])
  const taken: number[] = []
  return rows.map((cells) => {
    const row: (Element | null)[] = []
    const skip = () => {
      while ((taken[row.length] ?? 0) > 0) {
        taken[row.length] = (taken[row.length] ?? 0) - 1
        row.push(null)
      }
    }
    for (const cell of cells) {
      skip()
      for (let column = 0; column < columnsOf(cell); column++) {
        taken[row.length] = rowsOfCell(cell, rows.length) - 1
        row.push(column === 0 ? cell : null)
      }
    }
    skip()
    return row
  })
}

function columnsOf({ properties }: Element): number {
  return Math.max(Math.trunc(Number(properties['colspan'])) || 1, 1)
}

/** Limits a row span to the rows that exist. */
function rowsOfCell({ properties }: Element, most: number): number {
  return Math.min(Math.max(Math.trunc(Number(properties['rowspan'])) || 1, 1), most)
}
