import { isEmpty } from './is-empty'

/** Characters of a text that are shown if the caller did not name its field. */
const MAX_TEXT_CHARACTERS = 4_000

/**
 * A value as a short text for a model: a line for each field, and a table for a list of similar entries. Null and empty values are left
 * out. With `cutsTexts` a very long text is cut, and says how to get the rest.
 */
export function readableText(value: unknown, { cutsTexts }: { cutsTexts: boolean }): string {
  return linesOf(value, (text, name) => (cutsTexts ? cutText(text, name) : text)).join('\n')
}

type Show = (text: string, name: string) => string

function cutText(text: string, name: string): string {
  if (text.length <= MAX_TEXT_CHARACTERS) return text
  const rest = text.length - MAX_TEXT_CHARACTERS
  return `${text.slice(0, MAX_TEXT_CHARACTERS)} […cut; ${rest} more characters: name ${name} in fields to get them]`
}

function linesOf(value: unknown, show: Show, name = 'result'): string[] {
  if (Array.isArray(value)) return listLines(value, show, name)
  if (!isObject(value)) return [plain(value, show, name)]
  return Object.entries(value)
    .filter(([, field]) => !isEmpty(field))
    .flatMap(([key, field]) => fieldLines(key, field, show))
}

function fieldLines(name: string, value: unknown, show: Show): string[] {
  if (isPlainList(value)) return [`${name}: ${value.map((entry) => plain(entry, show, name)).join(', ')}`]
  if (isListOfNumbers(value)) return [`${name}: ${JSON.stringify(value)}`]
  const lines = linesOf(value, show, name)
  if (Array.isArray(value)) return [`${name} (${value.length}):`, ...lines.map(indented)]
  if (isObject(value)) return [`${name}:`, ...lines.map(indented)]
  const text = lines[0]!
  return text.includes('\n') ? [`${name}:`, ...text.split('\n').map(indented)] : [`${name}: ${text}`]
}

/** Entries whose fields all fit on a line become rows of a table; others become list entries with a dash. */
function listLines(entries: readonly unknown[], show: Show, name: string): string[] {
  if (entries.length === 0) return ['(none)']
  const rows = entries.map((entry) => (isObject(entry) ? cellsOf(entry) : null))
  if (rows.every((row) => row !== null)) return tableLines(rows)
  return entries.flatMap((entry) => {
    const [first = '(empty)', ...rest] = linesOf(entry, show, name)
    return [`- ${first}`, ...rest.map(indented)]
  })
}

/** What is the same in all of several rows is said once. */
function tableLines(rows: readonly Record<string, string>[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const isShared = (name: string) => rows.length > 2 && rows.every((row) => row[name] === rows[0]![name])
  const shared = names.filter(isShared)
  const columns = names.filter((name) => !shared.includes(name))
  if (columns.length === 0) return tableOf(names, rows)
  const common = shared.map((name) => `${name}: ${rows[0]![name]}`)
  return [...(common.length > 0 ? [`the same for all: ${common.join(' | ')}`] : []), ...tableOf(columns, rows)]
}

function tableOf(columns: readonly string[], rows: readonly Record<string, string>[]): string[] {
  return [columns.join(' | '), ...rows.map((row) => columns.map((column) => row[column] ?? '').join(' | '))]
}

/** The fields of an entry as one row, with dotted names for those of nested objects; null if one does not fit into a row. */
function cellsOf(entry: object, prefix = ''): Record<string, string> | null {
  const cells: Record<string, string> = {}
  for (const [key, value] of Object.entries(entry)) {
    if (isEmpty(value)) continue
    const name = `${prefix}${key}`
    if (isObject(value)) {
      const inner = cellsOf(value, `${name}.`)
      if (inner === null) return null
      Object.assign(cells, inner)
      continue
    }
    const cell = isPlainList(value) ? value.join(', ') : Array.isArray(value) ? JSON.stringify(value) : String(value)
    if (cell.includes('\n') || cell.length > LONGEST_CELL) return null
    cells[name] = cell.replaceAll('|', '\\|')
  }
  return cells
}

const LONGEST_CELL = 500

function plain(value: unknown, show: Show, name: string): string {
  return typeof value === 'string' ? show(value, name) : isObject(value) ? JSON.stringify(value) : String(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPlainList(value: unknown): value is (string | number | boolean)[] {
  return Array.isArray(value) && value.every((entry) => typeof entry !== 'object' && !String(entry).includes('\n'))
}

/** Such as the positions of hits in a text: `[[22,26],[98,102]]`. */
function isListOfNumbers(value: unknown): value is number[][] {
  return Array.isArray(value) && value.every((entry) => Array.isArray(entry) && entry.every(Number.isFinite))
}

function indented(line: string): string {
  return `  ${line}`
}
