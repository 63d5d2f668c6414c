import { textWidth } from './text-width'

/** Folds prose at words. The lines that are there stay, and what follows in a folded line is indented as its beginning is. */
export function fold(text: string, width: number | null): string {
  if (width === null) return text
  return text
    .split('\n')
    .map((line) => foldLine(line, width, ' '.repeat(/^\s*(?:[-*] |\d+\. )?/.exec(line)![0].length)))
    .join('\n')
}

/** Each line after the first begins with `indent`. A word that is wider than a line stays whole. */
export function foldLine(line: string, width: number, indent: string): string {
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
