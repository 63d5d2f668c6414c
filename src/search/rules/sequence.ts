import { stem } from './stem'
import type { Token } from './tokenize'

/** Words that follow each other. */
export interface Sequence {
  forms: string[]
  /** True where each must be written so; else the same stem will do. */
  quoted: boolean
}

/** The forms that follow each other in a text, without those that lie over them. */
export function sequenceForms(tokens: readonly Token[]): string[] {
  return inSequence(tokens).map((token) => token.form)
}

function inSequence(tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.kind === 'word' || token.kind === 'sign')
}

/** Every place where the sequence stands, as UTF-16 offsets into the text of the tokens. A single joined word is found as well. */
export function findSequence(tokens: readonly Token[], { forms, quoted }: Sequence): [start: number, end: number][] {
  const same = quoted
    ? (token: Token, form: string) => token.form === form
    : (token: Token, form: string) => token.form === form || stem(token.form) === stem(form)
  if (forms.length === 1) {
    return tokens.filter((token) => same(token, forms[0]!)).map((token) => [token.start, token.end])
  }
  const line = inSequence(tokens)
  const places: [number, number][] = []
  for (let first = 0; first + forms.length <= line.length; first++) {
    if (forms.every((form, i) => same(line[first + i]!, form))) {
      places.push([line[first]!.start, line[first + forms.length - 1]!.end])
    }
  }
  return places
}
