/** Characters of one text that are shown where the caller did not name the field that it is in. */
const MAX_TEXT_CHARACTERS = 4_000

/**
 * A value as a model reads it with the fewest words: a line a field, a table for a list of like entries. What is null or empty is left
 * out. With `cutsTexts` a very long text is cut, and says how to get the rest of it.
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

/** Entries whose fields all fit on a line are the rows of a table; others follow one another, each begun by a dash. */
function listLines(entries: readonly unknown[], show: Show, name: string): string[] {
  if (entries.length === 0) return ['(none)']
  const rows = entries.map((entry) => (isObject(entry) ? cellsOf(entry) : null))
  if (rows.every((row) => row !== null)) return tableLines(rows)
  return entries.flatMap((entry) => {
    const [first = '(empty)', ...rest] = linesOf(entry, show, name)
    return [`- ${first}`, ...rest.map(indented)]
  })
}

function tableLines(rows: readonly Record<string, string>[]): string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return [columns.join(' | '), ...rows.map((row) => columns.map((column) => row[column] ?? '').join(' | '))]
}

/** An entry's fields as one row, those of an object in it by a dotted name; null where one does not fit into a row. */
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
    if (Array.isArray(value) && !isPlainList(value) && !isListOfNumbers(value)) return null
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

/** Such as the places of hits in a text: `[[22,26],[98,102]]`. */
function isListOfNumbers(value: unknown): value is number[][] {
  return Array.isArray(value) && value.every((entry) => Array.isArray(entry) && entry.every(Number.isFinite))
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}

function indented(line: string): string {
  return `  ${line}`
}
