import { textWidth } from '../../fold'
import { printableLine } from '../../layout'

/** A run of words that are of one colour. */
export interface Piece {
  text: string
  color(text: string): string
}

/** The pieces, two spaces apart, folded at words into lines of at most `width` columns; in one line where it is null. */
export function foldPieces(pieces: readonly Piece[], width: number | null): string[] {
  if (width === null) return [pieces.map(({ text, color }) => color(printableLine(text))).join('  ')]
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const { text, color } of pieces) {
    let run = ''
    let gap = used === 0 ? '' : '  '
    for (const word of printableLine(text)
      .split(' ')
      .flatMap((long) => parts(long, width))) {
      const size = textWidth(word)
      if (used > 0 && used + gap.length + size > width) {
        lines.push(line + (run && color(run)))
        line = run = gap = ''
        used = 0
      }
      if (run === '') line += gap
      else run += gap
      run += word
      used += gap.length + size
      gap = ' '
    }
    line += color(run)
  }
  return [...lines, line]
}

/** A word that is wider than a line, in as many parts as it takes. */
function parts(word: string, width: number): string[] {
  if (textWidth(word) <= width) return [word]
  const found: string[] = []
  let part = ''
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (part !== '' && textWidth(part + segment) > width) {
      found.push(part)
      part = ''
    }
    part += segment
  }
  return [...found, part]
}
