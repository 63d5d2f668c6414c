import { NextMatch } from './next-match'

/** Signs at the end of a value that end a sentence or a bracket; more of them belong to the value. */
const MAX_END_CHARACTERS = 4

export interface LabelledSpan {
  start: number
  end: number
  quoted: boolean
}

/** Where the values behind the labels of a text end, for labels from its start to its end. No value is too long to be found whole. */
export class ValueEnds {
  readonly #text: string
  readonly #quotes: Record<string, NextMatch>
  readonly #bare: NextMatch
  readonly #key: NextMatch
  readonly #mark: NextMatch

  constructor(text: string) {
    this.#text = text
    this.#quotes = {
      '"': new NextMatch(text, /["\n]/g),
      "'": new NextMatch(text, /['\n]/g),
      '`': new NextMatch(text, /[`\n]/g),
    }
    this.#bare = new NextMatch(text, /[\s"'`<>;]/g)
    this.#key = new NextMatch(text, /[\s"'`<>;,&]/g)
    this.#mark = new NextMatch(text, /\[secret removed\]/g)
  }

  /** The value at `at`: in quotes, or up to the next blank or sign that ends one; a key also ends where the next pair of a list begins. */
  behind(at: number, isPassword: boolean): LabelledSpan {
    const quote = this.#quotes[this.#text[at] ?? '']
    const start = quote ? at + 1 : at
    const mark = this.#mark.from(start)
    if (quote) {
      const end = quote.from(start)
      if (this.#text[end] === this.#text[at])
        return mark < end ? { start, end: start, quoted: true } : { start, end, quoted: true }
    }
    let end = Math.min(mark, (isPassword ? this.#bare : this.#key).from(start))
    const fewest = Math.max(start, end - MAX_END_CHARACTERS)
    while (end > fewest && /[.,:)\]}]/.test(this.#text[end - 1] ?? '')) end--
    return { start, end, quoted: false }
  }
}
