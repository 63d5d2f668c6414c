import type { Element } from 'hast'
import type { PhrasingContent, RootContent, TableCell, TableRow } from 'mdast'
import type { Options } from 'rehype-remark'
import { hasBlock, isElement, isShown } from './build'

type Handle = NonNullable<Options['handlers']>[string]

/** Cells that one cell may take the place of. */
const MOST_COLUMNS_OF_A_CELL = 50
const MOST_ROWS_OF_A_CELL = 500

/**
 * A table with its first row as the header, also where the source has no `th`. A table that is there for the layout (one
 * cell, tables in its cells, or one column of blocks) is no table: its cells become what is in them. A first row of one cell
 * over all columns is a title and becomes a paragraph.
 */
export const tableHandler: Handle = (state, node) => {
  const rows = rowsOf(node).filter((row) => row.some(isShown))
  const content = (cell: Element) => state.toFlow(state.all(cell)) as RootContent[]
  if (rows.length === 0) return []
  if (isLayout(rows)) return rows.flat().flatMap(content) as never
  const [first = [], ...more] = rows
  const isTitled = first.length === 1 && more.some((row) => row.length > 1)
  const title = isTitled ? first.flatMap(content) : []
  const children = grid(isTitled ? more : rows).map((row): TableRow => {
    return { type: 'tableRow', children: row.map((cell) => cellOf(cell ? (state.all(cell) as RootContent[]) : [])) }
  })
  return [...title, { type: 'table', align: [], children }] as never
}

function rowsOf(table: Element): Element[][] {
  return table.children
    .filter((child) => isElement(child, 'tr'))
    .map((row) => row.children.filter((cell) => isElement(cell, 'td', 'th')))
}

function isLayout(rows: readonly Element[][]): boolean {
  const cells = rows.flat()
  if (cells.length === 1 || cells.some(holdsTable)) return true
  return rows.every((row) => row.length === 1) && cells.some((cell) => hasBlock(cell.children))
}

function holdsTable(node: Element): boolean {
  return node.children.some((child) => child.type === 'element' && (child.tagName === 'table' || holdsTable(child)))
}

/** The rows with a place for every cell: a cell over several columns or rows leaves the further places empty. */
function grid(rows: readonly Element[][]): (Element | null)[][] {
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
      const columns = spanOf(cell.properties['colSpan'], MOST_COLUMNS_OF_A_CELL)
      const below = spanOf(cell.properties['rowSpan'], MOST_ROWS_OF_A_CELL) - 1
      for (let column = 0; column < columns; column++) {
        taken[row.length] = below
        row.push(column === 0 ? cell : null)
      }
    }
    skip()
    return row
  })
}

function spanOf(written: unknown, most: number): number {
  const span = Math.trunc(Number(written))
  return span >= 1 ? Math.min(span, most) : 1
}

function cellOf(children: RootContent[]): TableCell {
  return { type: 'tableCell', children: children as PhrasingContent[] }
}
