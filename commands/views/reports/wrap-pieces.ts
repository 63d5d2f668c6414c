import wrapAnsi from 'wrap-ansi'
import { printableLine } from '../../terminal/layout'

/** A run of words of one color. */
export interface Piece {
  text: string
  color(text: string): string
}

/** The pieces, two spaces apart, folded at words into lines of at most `width` columns; on one line if it is null. */
export function wrapPieces(pieces: readonly Piece[], width: number | null): string[] {
  const line = pieces.map(({ text, color }) => color(printableLine(text))).join('  ')
  return width === null ? [line] : wrapAnsi(line, width, { hard: true }).split('\n')
}
