import { printableLine } from '../terminal/printable'

export type Cell = string | number | null

/** RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe before it. */
export function renderCsv(lines: readonly (readonly Cell[])[]): string {
  return lines.map((line) => `${line.map(renderCell).join(',')}\r\n`).join('')
}

/**
 * The start of a formula, also in wide characters, or a character that some spreadsheets skip before a formula. With apostrophes before it,
 * so that a reader can remove the added one.
 */
const FORMULA = /^'*[=+\-@|%\t\r\uff1d\uff0b\uff0d\uff20]/

function renderCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",;\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

/** A cell whose text has no line breaks or control characters. */
export function onOneLine(cell: Cell): Cell {
  return typeof cell === 'string' ? printableLine(cell) : cell
}
