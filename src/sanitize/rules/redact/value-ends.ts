import { NextMatch } from './next-match'

/** Up to this many trailing characters are taken for the end of a sentence or a bracket. More belong to the value. */
const MAX_END_CHARACTERS = 4

export interface LabelledSpan {
  start: number
  end: number
  quoted: boolean
}

/** Finds where labelled values end. Labels must be passed from the start of the text to its end. Values may have any length. */
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

  /**
   * Returns the value at `at`. It is in quotes, or ends at the next whitespace or delimiter. A key also ends where the next pair of
   * a list begins.
   */
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
