export interface DiagramProblem {
  /** From 1. */
  line: number
  message: string
}

/** A trimmed line of a diagram. */
export interface SourceLine {
  /** From 1. */
  number: number
  text: string
}

export class DiagramError extends Error {
  readonly line: number

  constructor(line: SourceLine, message: string) {
    super(message)
    this.line = line.number
  }
}

/** Reads one line from left to right. */
export class Scanner {
  readonly #line: SourceLine
  #at = 0

  constructor(line: SourceLine) {
    this.#line = line
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#line.text.length
  }

  /** Consumes and returns a match at the current position; null if there is none. The pattern must be sticky. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#line.text)
    if (found) this.#at = pattern.lastIndex
    return found
  }

  skipBlanks(): void {
    this.take(/\s*/y)
  }

  fail(message: string): never {
    const rest = this.#line.text.slice(this.#at, this.#at + 30)
    throw new DiagramError(this.#line, rest === '' ? message : `${message}, at "${rest}"`)
  }
}
