/**
 * Finds the next character that matches, for offsets that never decrease. It caches the last match, so all calls together read the
 * text once.
 */
export class NextMatch {
  readonly #text: string
  readonly #pattern: RegExp
  #found = -1

  /** `pattern` must match one character and have the flag `g`. */
  constructor(text: string, pattern: RegExp) {
    this.#text = text
    this.#pattern = pattern
  }

  /** Returns the offset of the next match at or after `from`, or the length of the text if there is none. */
  from(from: number): number {
    if (this.#found < from) {
      this.#pattern.lastIndex = from
      this.#found = this.#pattern.exec(this.#text)?.index ?? this.#text.length
    }
    return this.#found
  }
}
