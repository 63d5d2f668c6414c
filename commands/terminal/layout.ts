import { printableLine } from './printable'
import { textWidth, wrapLine, wrapText } from './wrap-text'

export { printable, printableLine } from './printable'
export { wrapLine, wrapText } from './wrap-text'

/** Colors by meaning, so that every view uses the same. */
export interface Colors {
  strong(text: string): string
  faint(text: string): string
  good(text: string): string
  warn(text: string): string
  bad(text: string): string
  accent(text: string): string
  hit(text: string): string
}

/** What a view has to draw with. */
export interface Canvas {
  colors: Colors
  /** Columns of the window; null in a pipe, where nothing is cut or wrapped. */
  width: number | null
}

export interface Column<Row> {
  title: string
  text(row: Row): string
  align?: 'right'
  /** Makes this column narrow first if the window is too small: it is cut, or wrapped at words. */
  shrink?: 'cut' | 'wrap'
  /** Moves this column to a line of its own under the row if the window is too small. */
  below?: boolean
  color?(text: string, row: Row): string
}

/**
 * Columns two spaces apart. On a terminal, shrinking columns are cut or wrapped first. If that is not enough, columns that may be below go
 * under their row, then the others are wrapped at words. A table that still does not fit becomes a list of facts for each row. In a pipe
 * nothing is cut or wrapped.
 */
export function table<Row>(canvas: Canvas, rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cellsOf = (shown: readonly Column<Row>[]) => [
    shown.map(({ title }) => title),
    ...rows.map((row) => shown.map((column) => printableLine(column.text(row)))),
  ]
  const above = columns.filter(({ below }) => !below)
  const isWide = above.length === columns.length || fitsUnwrapped(cellsOf(columns), columns, canvas.width)
  const [shown, below] = isWide ? [columns, []] : [above, columns.filter((column) => column.below)]
  const [titles, ...cells] = cellsOf(shown) as [string[], ...string[][]]
  const widths = fitWidths([titles, ...cells], shown, canvas.width)
  if (widths === null) return rowsAsFacts(rows, columns, canvas)
  const head = tableRow(titles, shown, widths, (text) => canvas.colors.faint(text))
  const body = cells.map(
    (line, r) =>
      tableRow(line, shown, widths, (text, column) => (column.color ? column.color(text, rows[r]!) : text)) +
      linesBelow(canvas, rows[r]!, below),
  )
  return [head, ...body].join('')
}

/** Each column on a line of its own, with its title. */
function linesBelow<Row>({ colors, width }: Canvas, row: Row, columns: readonly Column<Row>[]): string {
  return columns
    .map(({ title, text }) => [title.toLowerCase(), printableLine(text(row))] as const)
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `${colors.faint(wrapLine(`  ${title} ${text}`, width!, '    '))}\n`)
    .join('')
}

/** One row, with as many lines as its tallest cell. */
function tableRow<Row>(
  cells: readonly string[],
  columns: readonly Column<Row>[],
  widths: readonly number[],
  color: (text: string, column: Column<Row>) => string,
): string {
  const wrapped = cells.map((cell, i) =>
    columns[i]!.shrink === 'cut' ? [cut(cell, widths[i]!)] : wrapLine(cell, widths[i]!, '').split('\n'),
  )
  const height = Math.max(...wrapped.map((lines) => lines.length))
  return Array.from({ length: height }, (_, at) => {
    const line = columns.map((column, i) => {
      const text = wrapped[i]![at] ?? ''
      const isLast = i === columns.length - 1 && column.align === undefined
      return color(isLast ? text : pad(text, widths[i]!, column.align), column)
    })
    return `${line.join('  ').trimEnd()}\n`
  }).join('')
}

function rowsAsFacts<Row>(rows: readonly Row[], columns: readonly Column<Row>[], canvas: Canvas): string {
  const blocks = rows.map((row) => {
    const pairs = columns.map(({ title, text: textOf, color }) => {
      const text = printableLine(textOf(row))
      return [title, text !== '' && color ? color(text, row) : text] as const
    })
    return facts(canvas, pairs)
  })
  return blocks.join('\n')
}

/** The width that a shrinking column has before others are wrapped, and its minimum. */
const COMFORTABLE_COLUMN = 24
const MIN_COLUMN = 12
/** Narrower than this, it says too little: columns that may be below make place for it. */
const USEFUL_COLUMN = 14

/** Whether the table fits if only its shrinking columns become narrower. */
function fitsUnwrapped(
  cells: readonly (readonly string[])[],
  columns: readonly Column<any>[],
  width: number | null,
): boolean {
  if (width === null) return true
  const { widths, least, room } = measure(cells, columns, width)
  return (
    shrinkToFit(
      widths,
      columns.map(({ shrink }, i) => (shrink ? least(USEFUL_COLUMN)[i]! : widths[i]!)),
      room,
    ) !== null
  )
}

/** The width of each column; null where they cannot fit into the window. */
function fitWidths(
  cells: readonly (readonly string[])[],
  columns: readonly Column<any>[],
  width: number | null,
): number[] | null {
  if (width === null) return widest(cells, columns, textWidth)
  const { widths, words, least, room } = measure(cells, columns, width)
  const unwrapped = (shrunk: number) => columns.map(({ shrink }, i) => (shrink ? least(shrunk)[i]! : widths[i]!))
  const others = widths.map((size, i) => (columns[i]!.shrink ? size : words[i]!))
  return (
    shrinkToFit(widths, unwrapped(COMFORTABLE_COLUMN), room) ??
    (columns.some(({ shrink }) => shrink === 'wrap') ? null : shrinkToFit(widths, unwrapped(MIN_COLUMN), room)) ??
    shrinkToFit(widths, least(COMFORTABLE_COLUMN), room) ??
    shrinkToFit(others, least(MIN_COLUMN), room)
  )
}

function measure(cells: readonly (readonly string[])[], columns: readonly Column<any>[], width: number) {
  const words = widest(cells, columns, longestWord)
  const least = (shrunk: number) =>
    columns.map(({ shrink }, i) => (shrink === 'wrap' ? Math.max(shrunk, words[i]!) : shrink ? shrunk : words[i]!))
  return { widths: widest(cells, columns, textWidth), words, least, room: width - 2 * (columns.length - 1) }
}

function widest(
  cells: readonly (readonly string[])[],
  columns: readonly Column<any>[],
  sizeOf: (text: string) => number,
): number[] {
  return columns.map((_, i) => cells.reduce((most, line) => Math.max(most, sizeOf(line[i]!)), 0))
}

/** The widths with the widest columns made narrower, none below its least, until they fit; null where they cannot. */
function shrinkToFit(widths: readonly number[], least: readonly number[], room: number): number[] | null {
  const narrow = widths.map((size, i) => Math.max(Math.min(size, room), Math.min(size, least[i]!)))
  for (let excess = narrow.reduce((sum, size) => sum + size, 0) - room; excess > 0; excess--) {
    const spare = narrow.map((size, i) => (size > least[i]! ? size : 0))
    const most = Math.max(...spare)
    if (most === 0) return null
    narrow[spare.indexOf(most)]! -= 1
  }
  return narrow
}

function longestWord(text: string): number {
  return text.split(' ').reduce((most, word) => Math.max(most, textWidth(word)), 0)
}

/** Cut with an ellipsis, after a word where one ends in the second half of what fits. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let shown = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (textWidth(shown + segment) > width - 1) break
    shown += segment
  }
  const end = text[shown.length] === ' ' ? shown.length : shown.lastIndexOf(' ')
  const words = shown.slice(0, Math.max(0, end)).trimEnd()
  return `${textWidth(words) >= width / 2 ? words : shown}…`
}

function pad(text: string, width: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)))
  return align === 'right' ? space + text : text + space
}

/** `name  value` lines, wrapped at words after the names. Null and empty values are left out. */
export function facts(canvas: Canvas, pairs: readonly (readonly [string, string | null])[]): string {
  const shown = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== null && pair[1] !== '')
  const names = Math.max(0, ...shown.map(([name]) => textWidth(name)))
  const indent = ' '.repeat(names + 2)
  const room = canvas.width === null ? null : Math.max(MIN_COLUMN, canvas.width - indent.length)
  return shown
    .map(([name, value]) => {
      const text = wrapText(value, room).replaceAll('\n', `\n${indent}`)
      return `${canvas.colors.faint(pad(name, names, undefined))}  ${text}\n`
    })
    .join('')
}
