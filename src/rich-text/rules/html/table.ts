import type { RootContent, TableCell } from 'mdast'
import { limits } from '../limits'
import { isShown } from '../tree/nodes'
import { isBlock } from './wrap'

declare module 'mdast' {
  interface TableCellData {
    columns?: number
    rows?: number
    align?: AlignType
    /** The cell has a table in it, also one that is only a layout. */
    holdsTable?: boolean
  }
}

/**
 * Converts a table. Its first row becomes the header, even if the source has no `th`. A layout table (one cell, nested tables, or
 * one column of blocks) is replaced by the content of its cells. A first row with one cell over all columns is a title and becomes
 * a paragraph.
 */
export function readTable(source: readonly TableCell[][]): RootContent[] {
  const rows = source.filter((row) => row.some(isShown))
  if (isLayout(rows)) return rows.flat().flatMap(separate)
  const [first = [], ...more] = rows
  const isTitled = first.length === 1 && more.some((row) => row.length > 1)
  const cells = placeCells(isTitled ? more : rows)
  const children = cells.map((row) => ({ type: 'tableRow' as const, children: row.map((cell) => cell ?? EMPTY) }))
  const align = (cells[0] ?? []).map((cell) => cell?.data?.align ?? null)
  return [...(isTitled ? first.flatMap(separate) : []), { type: 'table', align, children }]
}

const EMPTY: TableCell = { type: 'tableCell', children: [] }

/** Separates the content of a cell from its neighbours by empty blocks. */
function separate({ children }: TableCell): RootContent[] {
  return [{ type: 'paragraph', children: [] }, ...children, { type: 'paragraph', children: [] }]
}

function isLayout(rows: readonly TableCell[][]): boolean {
  const cells = rows.flat()
  if (cells.length <= 1 || cells.some(({ data }) => data?.holdsTable)) return true
  return rows.every((row) => row.length === 1) && cells.some(({ children }) => children.some(isBlock))
}

/** Returns rows with an entry for each column. A cell that spans several columns or rows leaves the other entries empty. */
function placeCells(rows: readonly TableCell[][]): (TableCell | null)[][] {
  const columnsOf = ({ data }: TableCell) => Math.max(data?.columns || 1, 1)
  // A row span is limited to the rows that exist.
  const rowsOf = ({ data }: TableCell) => Math.min(Math.max(data?.rows || 1, 1), rows.length)
  const area = rows.flat().reduce((sum, cell) => sum + columnsOf(cell) * rowsOf(cell), 0)
  if (area > limits.tableCells) return rows.map((cells) => [...cells])
  const taken: number[] = []
  return rows.map((cells) => {
    const row: (TableCell | null)[] = []
    const skip = () => {
      while ((taken[row.length] ?? 0) > 0) {
        taken[row.length] = (taken[row.length] ?? 0) - 1
        row.push(null)
      }
    }
    for (const cell of cells) {
      skip()
      for (let column = 0; column < columnsOf(cell); column++) {
        taken[row.length] = rowsOf(cell) - 1
        row.push(column === 0 ? cell : null)
      }
    }
    skip()
    return row
  })
}
