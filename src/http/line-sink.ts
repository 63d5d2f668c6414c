/** Where texts go: a file, or a stream of the process. */
export interface Destination {
  write(text: string): unknown
  flushSync(): void
}

/** A quiet service tells each line at once; of a busy one those of some milliseconds go together, which spares a write a line. */
const TOGETHER_MS = 5

export class LineSink {
  readonly #destination: Destination
  #waiting = ''
  #timer: NodeJS.Timeout | null = null

  constructor(destination: Destination) {
    this.#destination = destination
  }

  write(line: string): void {
    if (this.#timer !== null) {
      this.#waiting += line
      return
    }
    this.#destination.write(line)
    this.#timer = setTimeout(() => this.#goOn(), TOGETHER_MS).unref()
  }

  /** All that was written has left when it returns. */
  flush(): void {
    if (this.#waiting !== '') this.#destination.write(this.#waiting)
    this.#waiting = ''
    this.#destination.flushSync()
  }

  #goOn(): void {
    this.#timer = null
    if (this.#waiting === '') return
    const lines = this.#waiting
    this.#waiting = ''
    this.write(lines)
  }
}
