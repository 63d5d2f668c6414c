import { StudioError } from '../errors'

export interface CsvRecord {
  /** The number of its first line. */
  line: number
  cells: string[]
}

/**
 * The records of a CSV text (RFC 4180): with quotes, line breaks in quotes and a byte order mark. The first line decides whether commas,
 * semicolons or tabs separate cells. Empty lines and a first line `sep=;` are no records. Throws `invalid` for an unclosed quote.
 */
export function parseCsv(text: string): CsvRecord[] {
  const body = text.replace(/^\ufeff/, '')
  const stated = findStatedDelimiter(body)
  const delimiter = delimiterOf(body)
  let at = stated?.line.length ?? 0
  let line = stated ? 2 : 1

  function readPlain(): string {
    const from = at
    while (at < body.length && body[at] !== delimiter && body[at] !== '\n' && body[at] !== '\r') at++
    return body.slice(from, at)
  }

  function readQuoted(): string {
    const firstLine = line
    let value = ''
    for (let end = body.indexOf('"', at + 1); end >= 0; end = body.indexOf('"', at + 1)) {
      const part = body.slice(at + 1, end)
      for (const char of part) if (char === '\n') line++
      value += part
      at = end + 1
      if (body[at] !== '"') return value + readPlain() // Text after the closing quote is not lost.
      value += '"'
    }
    throw new StudioError('invalid', `Line ${firstLine}: a quote is opened and never closed.`, {
      hint: 'Close it; a quote that is part of a cell is written twice.',
    })
  }

  function readRecord(): CsvRecord {
    const record: CsvRecord = { line, cells: [] }
    for (;;) {
      record.cells.push(body[at] === '"' ? readQuoted() : readPlain())
      if (body[at] !== delimiter) break
      at++
    }
    if (body[at] === '\r') at++
    if (body[at] === '\n') at++
    line++
    return record
  }

  const records: CsvRecord[] = []
  while (at < body.length) {
    const record = readRecord()
    if (record.cells.length > 1 || record.cells[0] !== '') records.push(record)
  }
  return records
}

/** The separator of cells, by the first line of a text. */
export function delimiterOf(text: string): string {
  const stated = findStatedDelimiter(text)
  if (stated !== null) return stated.delimiter
  const head = text.slice(0, text.search(/[\r\n]|$/))
  const count = (delimiter: string) => head.split(delimiter).length
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

/** Excel writes and reads a first line that states the delimiter; other programs put it in quotes. */
function findStatedDelimiter(text: string): { line: string; delimiter: string } | null {
  const [line, , delimiter] = /^\ufeff?("?)sep=([^\r\n"])\1(?:\r\n|\n|\r|$)/i.exec(text) ?? []
  return line === undefined ? null : { line, delimiter: delimiter! }
}
