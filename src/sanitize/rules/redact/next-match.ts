/**
 * Finds the next character that matches. It caches the last match, so calls with offsets that do not decrease read the text once,
 * all together.
 */
export class NextMatch {
  readonly #text: string
  readonly #pattern: RegExp
  #from = 0
  #found = -1

  /** `pattern` must match one character and have the flag `g`. */
  constructor(text: string, pattern: RegExp) {
    this.#text = text
    this.#pattern = pattern
  }

  /** Returns the offset of the next match at or after `from`, or the length of the text if there is none. */
  from(from: number): number {
    if (from < this.#from || this.#found < from) {
      this.#from = from
      this.#pattern.lastIndex = from
      this.#found = this.#pattern.exec(this.#text)?.index ?? this.#text.length
    }
    return this.#found
  }
}
