import { NextMatch } from '../next-match'

/** The quotation marks that a backslash or a second mark can escape. */
export type QuotationMark = '"' | "'" | '`'

/** No language has these characters directly after a string. */
const CONTINUES = /[\p{L}\p{N}#$@%*~]/u
/** The number of quotes before such a character that count as part of the value, if the next quote closes the same word. */
const MAX_DOUBTFUL = 4
const MAX_FURTHER_CHARACTERS = 64
const ENDS_WORD = /[\s"'`]/

/** The end of one kind of quote, with the range of starts for which it holds. */
interface Known {
  from: number
  until: number
  end: number | null
}

/**
 * Finds where quoted values end. Starts must never decrease. Ends are cached, so all calls together read the text a few times,
 * however many quotes are opened.
 */
export class QuotedEnds {
  readonly #text: string
  readonly #lineEnd: NextMatch
  readonly #known = new Map<string, Known>()

  constructor(text: string) {
    this.#text = text
    this.#lineEnd = new NextMatch(text, /\n/g)
  }

  /**
   * Returns where the value that starts at `from` ends, or null if its quote is not closed on its line. A string within a string
   * escapes its quotes: `depth` is the number of backslashes before the opening mark, and the same number closes it.
   */
  of(mark: QuotationMark, depth: number, from: number): number | null {
    const kind = `${depth}${mark}`
    const known = this.#known.get(kind)
    if (known && known.from <= from && from <= known.until) return known.end
    const lineEnd = this.#lineEnd.from(from)
    const end = this.#scan(mark, depth, { from, lineEnd }) ?? (depth === 0 ? this.#first(mark, from, lineEnd) : null)
    this.#known.set(kind, { from, until: end ?? lineEnd, end })
    return end
  }

  #scan(mark: QuotationMark, depth: number, { from, lineEnd }: { from: number; lineEnd: number }): number | null {
    let first: number | null = null
    let doubtful = 0
    for (let at = this.#text.indexOf(mark, from); at >= 0 && at < lineEnd; at = this.#text.indexOf(mark, at + 1)) {
      let backslashes = 0
      while (at - backslashes > from && this.#text[at - backslashes - 1] === '\\') backslashes++
      // A less escaped mark ends the outer string.
      if (backslashes < depth) return at - backslashes
      const escapes = (backslashes - depth) / (depth + 1)
      if (!Number.isInteger(escapes) || escapes % 2 === 1) continue
      // YAML, SQL and CSV write a mark within the value twice.
      if (depth === 0 && mark !== '`' && this.#text[at + 1] === mark) at++
      else if (depth > 0 || !CONTINUES.test(this.#text[at + 1] ?? '')) return at - depth
      else {
        // The text lost the backslash before this mark, or its language has other escapes than this one.
        first ??= at
        const next = this.#text.slice(at + 1, at + 1 + MAX_FURTHER_CHARACTERS).search(ENDS_WORD)
        if (++doubtful === MAX_DOUBTFUL || next < 0 || this.#text[at + 1 + next] !== mark) break
      }
    }
    return first
  }

  /** Where backslashes escape nothing, the last one is part of the value: `'C:\dir\'`. */
  #first(mark: QuotationMark, from: number, lineEnd: number): number | null {
    const at = this.#text.indexOf(mark, from)
    return at >= 0 && at < lineEnd ? at : null
  }
}
