import { stem } from './stem'
import type { Token } from './tokenize'

/** Words that follow each other. */
export interface Phrase {
  forms: string[]
  /** True where each must be written so; else any form of the same stem will do. */
  quoted: boolean
}

/** The tokens that follow each other in a text, without those that lie over them. */
export function selectSequentialTokens(tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.kind === 'word' || token.kind === 'sign')
}

/** Every place of a sequence, as UTF-16 offsets into the text that the tokens come from. One word is found in a joined form too. */
export function findPhrase(tokens: readonly Token[], { forms, quoted }: Phrase): [start: number, end: number][] {
  const wanted = quoted ? forms : forms.map(stem)
  const line = forms.length === 1 ? tokens : selectSequentialTokens(tokens)
  const places: [number, number][] = []
  const borders = computeBorders(wanted)
  // Knuth, Morris and Pratt: no token is compared again, so that a long phrase of one repeated sign costs no more than another.
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

/** For each beginning of a sequence the length of the longest shorter beginning with which it ends. */
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
