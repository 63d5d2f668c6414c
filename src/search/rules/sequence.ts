import { stem } from './stem'
import type { Token } from './tokenize'

/** Words that follow each other. */
export interface Sequence {
  forms: string[]
  /** True where each must be written so; else any form of the same stem will do. */
  quoted: boolean
}

/** The tokens that follow each other in a text, without those that lie over them. */
export function inSequence(tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.kind === 'word' || token.kind === 'sign')
}

/** Every place of a sequence, as UTF-16 offsets into the text that the tokens come from. One word is found in a joined form too. */
export function findSequence(tokens: readonly Token[], { forms, quoted }: Sequence): [start: number, end: number][] {
  const wanted = quoted ? forms : forms.map(stem)
  const line = forms.length === 1 ? tokens : inSequence(tokens)
  const places: [number, number][] = []
  for (let first = 0; first + wanted.length <= line.length; first++) {
    const holds = wanted.every((form, i) => {
      const found = line[first + i]!.form
      return (quoted ? found : stem(found)) === form
    })
    if (holds) places.push([line[first]!.start, line[first + wanted.length - 1]!.end])
  }
  return places
}
