import type { Paint } from './paint'
import { printableLine } from './printable'
import { textWidth } from './text-width'

export { printable, printableLine } from './printable'

/** What a view has to draw with. */
export interface Canvas {
  paint: Paint
  /** Columns to fold into; null in a pipe, where nothing is cut or folded. */
  width: number | null
}

export interface Column<Row> {
  title: string
  text(row: Row): string
  align?: 'right'
  /** The column that gives way where the window is too narrow. */
  shrink?: true
  paint?(text: string, row: Row): string
}

/** Columns two spaces apart. On a terminal the shrinking column is cut to fit, with an ellipsis; in a pipe nothing is. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], canvas: Canvas): string {
  const cells = rows.map((row) => columns.map((column) => printableLine(column.text(row))))
  const widths = columns.map((column, i) =>
    Math.max(textWidth(column.title), ...cells.map((line) => textWidth(line[i]!))),
  )
  fitWidths(widths, columns, canvas.width)
  const head = columns.map((column, i) => canvas.paint.faint(pad(column.title, widths[i]!, column.align)))
  const lines = cells.map((line, r) =>
    columns.map((column, i) => {
      const text = pad(cut(line[i]!, widths[i]!), widths[i]!, column.align)
      return column.paint ? column.paint(text, rows[r]!) : text
    }),
  )
  return [head, ...lines].map((line) => `${line.join('  ').trimEnd()}\n`).join('')
}

const LEAST_COLUMN = 12

function fitWidths(widths: number[], columns: readonly Column<any>[], width: number | null): void {
  if (width === null) return
  const total = widths.reduce((sum, w) => sum + w, 0) + 2 * (widths.length - 1)
  const shrinking = columns.findIndex((column) => column.shrink)
  if (total <= width || shrinking < 0) return
  widths[shrinking] = Math.max(LEAST_COLUMN, widths[shrinking]! - (total - width))
}

export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (textWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

function pad(text: string, width: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)))
  return align === 'right' ? space + text : text + space
}

/** `name  value` lines; a null value is left out. */
export function facts(pairs: readonly (readonly [string, string | null])[], canvas: Canvas): string {
  const shown = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== null && pair[1] !== '')
  const width = Math.max(0, ...shown.map(([name]) => textWidth(name)))
  return shown.map(([name, value]) => `${canvas.paint.faint(pad(name, width, undefined))}  ${value}\n`).join('')
}

/** Folds prose at words; lines that are there stay. */
export function fold(text: string, width: number | null): string {
  if (width === null) return text
  return text
    .split('\n')
    .map((line) => foldLine(line, width))
    .join('\n')
}

function foldLine(line: string, width: number): string {
  const indent = /^\s*(?:[-*] |\d+\. )?/.exec(line)![0].length
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    const next =
      current === '' && lines.length === 0 ? word : current === '' ? ' '.repeat(indent) + word : `${current} ${word}`
    if (textWidth(next) > width && current.trim() !== '') {
      lines.push(current)
      current = ' '.repeat(indent) + word
    } else current = next
  }
  return [...lines, current].join('\n')
}
