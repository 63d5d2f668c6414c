import { stem } from './stem'
import type { Token } from './tokenize'

/** A sequence of words. */
export interface Phrase {
  forms: string[]
  /** Whether each word must match exactly; otherwise any form of the same stem matches. */
  quoted: boolean
}

/** The consecutive tokens of a text, without those that overlap them. */
export function selectSequentialTokens(tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.kind === 'word' || token.kind === 'sign')
}

/** All occurrences of a sequence, as UTF-16 offsets into the text of the tokens. A single word is also found in a joined form. */
export function findPhrase(tokens: readonly Token[], { forms, quoted }: Phrase): [start: number, end: number][] {
  const wanted = quoted ? forms : forms.map(stem)
  const line = forms.length === 1 ? tokens : selectSequentialTokens(tokens)
  const places: [number, number][] = []
  const borders = computeBorders(wanted)
  // Knuth-Morris-Pratt: no token is compared twice, so a long phrase of one repeated character takes linear time.
  let held = 0
  for (const [at, token] of line.entries()) {
    const form = quoted ? token.form : stem(token.form)
    while (held > 0 && form !== wanted[held]) held = borders[held - 1]!
    if (form === wanted[held]) held++
    if (held === 0 || held < wanted.length) continue
    places.push([line[at - held + 1]!.start, token.end])
    held = borders[held - 1]!
  }
  return places
}

/** The failure table: for each prefix, the length of the longest proper prefix that is also its suffix. */
function computeBorders(forms: readonly string[]): number[] {
  const borders = forms.map(() => 0)
  let held = 0
  for (let at = 1; at < forms.length; at++) {
    while (held > 0 && forms[at] !== forms[held]) held = borders[held - 1]!
    if (forms[at] === forms[held]) held++
    borders[at] = held
  }
  return borders
}
