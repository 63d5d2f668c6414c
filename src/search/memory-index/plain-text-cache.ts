import type { LongText } from '../../tracker'

/** How the markup is taken out of a text, by its format. */
export type PlainTextConverters = Record<LongText['format'], (text: string) => string>

/** Takes the markup out of long texts, which is most of the work of indexing: a text that the last round saw is not worked on again. */
export class PlainTextCache {
  readonly #plainTextOf: PlainTextConverters
  #last = noTexts()
  #current = noTexts()

  constructor(plainTextOf: PlainTextConverters) {
    this.#plainTextOf = plainTextOf
  }

  /** A new round: what the last but one saw is forgotten. */
  nextRound(): void {
    this.#last = this.#current
    this.#current = noTexts()
  }

  of({ format, text }: LongText): string {
    const known = this.#current[format].get(text) ?? this.#last[format].get(text)
    const plain = known ?? this.#plainTextOf[format](text)
    this.#current[format].set(text, plain)
    return plain
  }
}

function noTexts(): Record<LongText['format'], Map<string, string>> {
  return { html: new Map(), markdown: new Map() }
}
