import { applyPatches, type Patch } from './shown-source'

/** A text with `\n` at the end of its lines. Browsers store `\r\n`. */
export class LineEnds {
  readonly text: string
  readonly #source: string
  /** Where the text lacks a `\r`. */
  readonly #returns: number[]

  constructor(source: string) {
    this.#source = source
    this.#returns = [...source.matchAll(/\r\n/g)].map(({ index }, count) => index - count)
    this.text = this.#returns.length === 0 ? source : source.replace(/\r\n/g, '\n')
  }

  /** The source with patches of the text. New lines end as the first line does. */
  apply(patches: readonly Patch[]): string {
    const isReturned = /\r?\n/.exec(this.#source)?.[0] === '\r\n'
    const moved = patches.map(({ start, end, text, ...rest }) => ({
      ...rest,
      start: start + this.#countBefore(start),
      end: end + this.#countBefore(end),
      text: isReturned ? text.replace(/\r?\n/g, '\r\n') : text,
    }))
    return applyPatches(this.#source, moved, { start: 0, end: this.#source.length })
  }

  #countBefore(position: number): number {
    let [low, high] = [0, this.#returns.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#returns[middle]! < position) low = middle + 1
      else high = middle
    }
    return low
  }
}
