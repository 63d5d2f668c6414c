/**
 * Where the next character of a kind is, asked at places that never go back: the answer is looked for once, not from each place, so
 * that all questions together read a text once.
 */
export class NextMatch {
  readonly #text: string
  readonly #pattern: RegExp
  #found = -1

  /** `pattern` describes one character and has the flag `g`. */
  constructor(text: string, pattern: RegExp) {
    this.#text = text
    this.#pattern = pattern
  }

  /** The offset of the next match at or behind `from`; the length of the text where there is none. */
  from(from: number): number {
    if (this.#found < from) {
      this.#pattern.lastIndex = from
      this.#found = this.#pattern.exec(this.#text)?.index ?? this.#text.length
    }
    return this.#found
  }
}
