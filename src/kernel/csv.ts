import { StudioError } from './errors'

export interface CsvRecord {
  /** The line of the text on which it begins, from 1. */
  line: number
  cells: string[]
}

/**
 * The records of a CSV text (RFC 4180): quotes, line ends within quotes, a byte order mark. The first line tells whether cells
 * are apart by commas, semicolons or tabs. Empty lines are no records, nor is a first line `sep=;`. Throws `invalid` for a quote that
 * is never closed.
 */
export function parseCsv(text: string): CsvRecord[] {
  const body = text.replace(/^\ufeff/, '')
  const reader = new CsvReader(body, delimiterOf(body), saidDelimiter(body)?.line.length ?? 0)
  const records: CsvRecord[] = []
  for (let record = reader.next(); record !== null; record = reader.next()) {
    if (record.cells.length > 1 || record.cells[0] !== '') records.push(record)
  }
  return records
}

/** What stands between the cells of a text, as its first line tells. */
export function delimiterOf(text: string): string {
  const said = saidDelimiter(text)
  if (said !== null) return said.delimiter
  const head = text.slice(0, text.search(/[\r\n]|$/))
  const count = (delimiter: string) => head.split(delimiter).length
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

/** Excel is told by a line of its own what stands between the cells, and writes such a line too; other programs put quotes around it. */
function saidDelimiter(text: string): { line: string; delimiter: string } | null {
  const [line, , delimiter] = /^\ufeff?("?)sep=([^\r\n"])\1(?:\r\n|\n|\r|$)/i.exec(text) ?? []
  return line === undefined ? null : { line, delimiter: delimiter! }
}

class CsvReader {
  #at: number
  #line: number

  /** @param from where the records begin: at the start of the text, or behind its first line */
  constructor(
    private readonly text: string,
    private readonly delimiter: string,
    from: number,
  ) {
    this.#at = from
    this.#line = from === 0 ? 1 : 2
  }

  next(): CsvRecord | null {
    if (this.#at >= this.text.length) return null
    const record: CsvRecord = { line: this.#line, cells: [] }
    for (;;) {
      record.cells.push(this.text[this.#at] === '"' ? this.#quoted() : this.#plain())
      const end = this.text[this.#at]
      if (end !== this.delimiter) {
        this.#endLine()
        return record
      }
      this.#at++
    }
  }

  #plain(): string {
    const from = this.#at
    while (this.#at < this.text.length && !this.#isEnd(this.text[this.#at]!)) this.#at++
    return this.text.slice(from, this.#at)
  }

  #quoted(): string {
    const from = this.#line
    let value = ''
    for (;;) {
      const start = this.#at + 1
      const end = this.text.indexOf('"', start)
      if (end < 0) break
      const part = this.text.slice(start, end)
      for (const char of part) if (char === '\n') this.#line++
      value += part
      this.#at = end + 1
      if (this.text[this.#at] !== '"') return value + this.#plain() // what stands behind the quote is kept, not lost
      value += '"'
    }
    throw new StudioError('invalid', `Line ${from}: a quote is opened and never closed.`, {
      hint: 'Close it; a quote that is part of a cell is written twice.',
    })
  }

  #isEnd(char: string): boolean {
    return char === this.delimiter || char === '\n' || char === '\r'
  }

  #endLine(): void {
    if (this.text[this.#at] === '\r') this.#at++
    if (this.text[this.#at] === '\n') this.#at++
    this.#line++
  }
}
