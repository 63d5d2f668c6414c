import type { Finding, Passage } from '../finding'
import { PASSWORD_LABEL } from './password-label'
import { isSecretValue } from './secret-value'

const LABEL = new RegExp(
  `^(?:(?:test|user|db|database|admin|root|default|initial|temp|temporary|service|login|account)[ _-])?(?:${PASSWORD_LABEL})$`,
  'iu',
)
/** Longer cells are not labels. */
const MAX_LABEL_LENGTH = 40

/**
 * Matches a strong password. It is required between two words, because a list of fields may contain `password` followed by
 * `address1`.
 */
const STRONG = /^(?=.*\d)(?=.*\p{L})(?=.*[!@#$%^&*?+=~])/u

/** Matches a row of Markdown with at least two cells. */
const ROW = /^\s{0,20}\|[^|]{1,200}\|.{1,2000}\|\s{0,20}$/

interface Cell {
  value: string
  start: number
}

/**
 * Finds passwords whose label is separate from them, without a colon or equals sign: in the column header, in the cell before, or
 * alone on the line before as a heading or a term. Cells end with a tab, or with a bar in a row of Markdown that is part of no table.
 * Rows and blocks end with a line end.
 */
export function findPasswordCells({ text, isCode }: Passage): Finding[] {
  const found: Cell[] = []
  let columns: number[] = []
  let before: Cell[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const cells = cellsOf(line, start)
    start += line.length + 1
    const isRow = cells.length > 1
    if (isRow && before.length < 2) columns = cells.flatMap(({ value }, column) => (isLabel(value) ? [column] : []))
    else if (isRow) found.push(...columns.flatMap((column) => cells[column] ?? []))
    const [first, second] = cells
    if (isRow && second && first && isLabel(first.value)) found.push(second)
    const [label] = before
    if (!isRow && first && before.length === 1 && isLabel(label?.value) && STRONG.test(first.value)) found.push(first)
    if (line !== '') before = cells
  }
  return found
    .filter(
      (cell) =>
        isPassword(cell.value) && (!isCode(cell.start) || text[cell.start - 1] === '|' || text[cell.start - 2] === '|'),
    )
    .map(({ value, start }) => ({ start, end: start + value.length, kind: 'password' as const }))
}

function cellsOf(line: string, from: number): Cell[] {
  if (!/[\t|]/.test(line)) return [{ value: withoutColon(line), start: from + line.length - line.trimStart().length }]
  let start = from
  const isMarkdown = ROW.test(line)
  if (isMarkdown) start += line.indexOf('|') + 1
  const parts = isMarkdown ? line.trim().slice(1, -1).split('|') : line.replace(/\t$/, '').split('\t')
  return parts.map((part) => {
    const cell = { value: withoutColon(part), start: start + part.length - part.trimStart().length }
    start += part.length + 1
    return cell
  })
}

function withoutColon(cell: string): string {
  const value = cell.trim()
  return value.endsWith(':') ? value.replace(/ ?:$/, '') : value
}

function isLabel(value = ''): boolean {
  return value.length <= MAX_LABEL_LENGTH && LABEL.test(value)
}

/** Returns whether the value is one word that is not an address and does not consist only of letters or only of digits. */
function isPassword(value: string): boolean {
  if (/\s|^\w+:\/\//.test(value) || !/\p{L}/u.test(value)) return false
  const bare = value.replace(/^[("'“‘]+|(?<![)"'”’])[)"'”’]+$/g, '')
  const place = { quoted: false, isPassword: true, separator: 'is', endsLine: false, endsPair: false, isCode: false }
  return isSecretValue({ value: bare, ...place })
}
