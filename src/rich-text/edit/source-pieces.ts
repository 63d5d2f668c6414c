/** Pieces of the source in new text: characters that neither has stand for them until it is written. */
export class SourcePieces {
  readonly #pieces: string[] = []
  readonly #sign: string

  /** @param used text whose characters are not used. */
  constructor(used: string) {
    let code = 0xe000
    while (used.includes(String.fromCharCode(code))) code++
    this.#sign = String.fromCharCode(code)
  }

  add(piece: string): string {
    return `${this.#sign}${this.#pieces.push(piece) - 1}${this.#sign}`
  }

  /** A text without the pieces in it. */
  remove(text: string): string {
    return text
      .split(this.#sign)
      .filter((_, index) => index % 2 === 0)
      .join(' ')
  }

  fill(text: string): string {
    const parts = text.split(this.#sign)
    return parts.map((part, index) => (index % 2 === 1 ? this.#pieces[Number(part)]! : part)).join('')
  }
}
