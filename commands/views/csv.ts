export type Cell = string | number | null

/** RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe before it, as spreadsheets themselves write it. */
export function renderCsv(lines: readonly (readonly Cell[])[]): string {
  return lines.map((line) => `${line.map(renderCell).join(',')}\r\n`).join('')
}

/** What begins a formula, also in the wide forms that some spreadsheets take for the same, and what some skip before one. */
const FORMULA = /^[=+\-@|%\t\r\uff1d\uff0b\uff0d\uff20]/

function renderCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",;\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
