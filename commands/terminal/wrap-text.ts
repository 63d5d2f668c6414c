import stringWidth from 'string-width'

/**
 * Folds each line of prose at words and indents its continuation. A Markdown table that is wider than the window becomes lists of titled
 * cells, because folded rows are unreadable. A command in a folded line gets its own line, so that it can be copied.
 */
export function wrapText(text: string, width: number | null): string {
  if (width === null) return text
  return listWideTables(text.split('\n'), width)
    .map((line) => foldAround(line, width, ' '.repeat(/^\s*(?:[-*] |\d+\. )?/.exec(line)![0].length)))
    .join('\n')
}

/** A command after a colon, up to the punctuation that ends it. */
const COMMAND = /(?<=: )((?:studio|ollama|npm|chmod) (?:"[^"]*"|[^;,.()"]|\.(?=\S))+)/

function foldAround(line: string, width: number, indent: string): string {
  if (textWidth(line) <= width) return line
  const pieces = line.split(COMMAND)
  const lines = pieces.map((piece, i) => {
    if (i % 2 === 1) return `${indent}  ${piece}`
    const prose = i === 0 ? piece : piece.replace(/^[;,.]? */, indent)
    return prose.trim() === '' ? null : wrapLine(prose.trimEnd(), width, indent)
  })
  return lines.filter((shown) => shown !== null).join('\n')
}

/** Folds a line at words. Each further line starts with `indent`. A word that is wider than a line is not split. */
export function wrapLine(line: string, width: number, indent: string): string {
  if (textWidth(line) <= width) return line
  const [blank] = /^ */.exec(line)!
  const lines: string[] = []
  let current = ''
  for (const word of line.slice(blank.length).split(' ')) {
    const start = lines.length === 0 ? blank : indent
    const next = current === '' ? start + word : `${current} ${word}`
    if (textWidth(next) > width && current.trim() !== '') {
      lines.push(current.trimEnd())
      current = word === '' ? '' : indent + word
    } else current = next
  }
  return [...lines, current].join('\n')
}

/** Folds a command line before its flags, as a shell reads it. */
export function wrapCommandLine(line: string, width: number | null): string {
  if (width === null) return line
  const joined = line.replace(/(?<=\S) (?!--)/g, '\u00a0')
  const fits = joined.split(' --').every((part) => textWidth(part) <= width - 4)
  return wrapLine(fits || /["']/.test(line) ? joined : line, width - 2, '      ')
    .replaceAll('\n', ' \\\n')
    .replaceAll('\u00a0', ' ')
}

function listWideTables(lines: readonly string[], width: number): readonly string[] {
  if (!lines.some((line) => isTableRow(line) && textWidth(line) > width)) return lines
  const shown: string[] = []
  for (let at = 0; at < lines.length; ) {
    let end = at
    while (end < lines.length && isTableRow(lines[end]!)) end++
    const rows = lines.slice(at, Math.max(end, at + 1))
    const isWideTable = rows.length > 2 && isDelimiterRow(rows[1]!) && rows.some((row) => textWidth(row) > width)
    shown.push(...(isWideTable ? rowsAsLists(rows) : rows))
    at += rows.length
  }
  return shown
}

function rowsAsLists([head, , ...rows]: readonly string[]): string[] {
  const titles = cellsOf(head!)
  return rows.flatMap((row, r) => {
    const facts = cellsOf(row).map((cell, i) => `${i === 0 ? '- ' : '  '}${titles[i] ? `${titles[i]}: ` : ''}${cell}`)
    return r === 0 ? facts : ['', ...facts]
  })
}

function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).slice(1, -1)
  return cells.map((cell) => cell.trim())
}

function isTableRow(line: string): boolean {
  return line.length > 1 && line.startsWith('|') && line.endsWith('|')
}

function isDelimiterRow(line: string): boolean {
  return cellsOf(line).every((cell) => /^:?-+:?$/.test(cell))
}

/**
 * The columns of a text on a terminal. Characters of Western prose have one column each and do not need `string-width`, which compiles
 * patterns over all of Unicode at its first call.
 */
export function textWidth(text: string): number {
  return ONE_COLUMN_EACH.test(text) ? text.length : stringWidth(text)
}

/** Printable ASCII, Latin letters and symbols without the soft hyphen, dashes, quotation marks, bullets, the ellipsis and arrows. */
const ONE_COLUMN_EACH = /^[\x20-\x7e\xa0-\xac\xae-\u024f\u2010-\u2027\u2190-\u2193]*$/
