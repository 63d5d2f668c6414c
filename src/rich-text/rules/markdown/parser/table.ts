import type { StateBlock } from 'markdown-it'
import type { AlignType } from 'mdast'

/**
 * Matches the delimiter row below the header. `CERTAIN` matches a character other than a dash, of which the row needs at least one.
 */
const DELIMITER_ROW = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/
const CERTAIN = /[:|]/

/** A line with a deeper indent is code. */
const MAX_INDENT = 3

/**
 * Parses a GFM table. The built-in rule drops cells beyond the columns of the header together with their text, and treats the bar
 * in `\\|` as escaped.
 */
export function table(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const delimiterLine = startLine + 1
  if (delimiterLine >= endLine || !isWithin(state, startLine) || !isWithin(state, delimiterLine)) return false
  const delimiters = lineText(state, delimiterLine)
  // A dash and a space start a list.
  if (/^-[ \t]/.test(delimiters) || !DELIMITER_ROW.test(delimiters) || !CERTAIN.test(delimiters)) return false
  const columns = splitCells(delimiters)
  const header = splitCells(lineText(state, startLine))
  if (header.length !== columns.length) return false
  if (silent) return true

  const align = columns.map(readAlign)
  const open = state.push('table_open', 'table', 1)
  open.meta = { align }
  open.map = [startLine, startLine + 2]
  pushRow(state, startLine, header)
  const before = state.parentType
  state.parentType = 'table'
  let line = delimiterLine + 1
  while (line < endLine && !state.isEmpty(line) && isWithin(state, line) && !isInterrupted(state, line, endLine)) {
    pushRow(state, line, splitCells(lineText(state, line)))
    line++
  }
  state.parentType = before
  state.push('table_close', 'table', -1)
  state.line = line
  return true
}

/** Returns whether the line belongs to the current block and is not indented so deeply that it is code. */
function isWithin(state: StateBlock, line: number): boolean {
  const indent = (state.sCount[line] ?? 0) - state.blkIndent
  return indent >= 0 && indent <= MAX_INDENT
}

function lineText(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
}

function isInterrupted(state: StateBlock, line: number, endLine: number): boolean {
  return state.md.block.ruler.getRules('blockquote').some((rule) => rule(state, line, endLine, true))
}

/** The text between two bars, which is from `start` to `end` in its line. */
interface Cell {
  content: string
  start: number
  end: number
}

/** Splits a line at unescaped bars. Escapes remain in the cells. */
function splitCells(line: string): Cell[] {
  const cells: Cell[] = []
  let start = 0
  const add = (end: number) => {
    cells.push({ content: line.slice(start, end).trim(), start, end })
    start = end + 1
  }
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === '|') add(at)
  }
  add(line.length)
  if (cells[0]?.content === '') cells.shift()
  if (cells.at(-1)?.content === '') cells.pop()
  return cells
}

function pushRow(state: StateBlock, line: number, cells: readonly Cell[]): void {
  state.push('tr_open', 'tr', 1).map = [line, line + 1]
  for (const { content, start, end } of cells) {
    state.push('td_open', 'td', 1).map = [start, end]
    state.push('inline', '', 0).content = content
    state.push('td_close', 'td', -1)
  }
  state.push('tr_close', 'tr', -1)
}

function readAlign({ content }: Cell): AlignType {
  const isLeft = content.startsWith(':')
  if (content.endsWith(':')) return isLeft ? 'center' : 'right'
  return isLeft ? 'left' : null
}
