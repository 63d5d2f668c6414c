import stringWidth from 'string-width'

/** Columns that a text takes on a terminal. Nearly every text is plain, and need not be taken apart into what readers see as characters. */
export function textWidth(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text)
}
