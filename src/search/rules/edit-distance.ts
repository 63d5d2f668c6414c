import { editDistance } from '../../kernel/text/nearest-text'

/** The number of typing mistakes to allow: 1 for 4 to 7 letters, 2 for longer words, 0 if it does not consist of letters. */
export function maxEditsFor(form: string): 0 | 1 | 2 {
  if (form.length < 4 || !/^\p{L}+$/u.test(form)) return 0
  return form.length < 8 ? 1 : 2
}

/** The forms with the smallest distance to the word. */
export function findNearestForms(word: string, forms: Iterable<string>): { edits: number; forms: string[] } {
  let edits: number = maxEditsFor(word)
  let nearest: string[] = []
  if (edits === 0) return { edits, forms: nearest }
  const letters = letterBits(word)
  for (const form of forms) {
    if (!mayBeWithin(edits, { word, letters }, form)) continue
    const distance = editDistance(word, form, edits)
    if (distance > edits) continue
    if (distance < edits) nearest = []
    edits = distance
    nearest.push(form)
  }
  return { edits, forms: nearest }
}

/** The forms that are one edit away from the word. */
export function findOneEditForms(word: string, forms: Iterable<string>): string[] {
  const letters = letterBits(word)
  const found: string[] = []
  for (const form of forms) {
    if (mayBeWithin(1, { word, letters }, form) && editDistance(word, form, 1) === 1) found.push(form)
  }
  return found
}

/** Excludes most forms without comparing their letters in order. */
function mayBeWithin(edits: number, { word, letters }: { word: string; letters: number }, form: string): boolean {
  return Math.abs(form.length - word.length) <= edits && countBits(letters ^ letterBits(form)) <= 2 * edits
}

/** A bit for each letter of the word. One edit changes at most two bits, so this excludes most words quickly. */
export function letterBits(form: string): number {
  let bits = 0
  for (let i = 0; i < form.length; i++) bits |= 1 << (form.charCodeAt(i) & 31)
  return bits
}

/** The number of bits of a 32-bit number that are 1. */
export function countBits(number: number): number {
  const pairs = number - ((number >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
