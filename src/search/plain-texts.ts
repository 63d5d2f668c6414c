import type { LongText } from '../tracker'
import { htmlToPlainText, markdownToPlainText } from '../workspace'

/** Takes the markup out of long texts, which is most of the work of indexing: a text that the last round saw is not worked on again. */
export class PlainTexts {
  #last = noTexts()
  #current = noTexts()

  /** A new round: what the last but one saw is forgotten. */
  nextRound(): void {
    this.#last = this.#current
    this.#current = noTexts()
  }

  of({ format, text }: LongText): string {
    const known = this.#current[format].get(text) ?? this.#last[format].get(text)
    const plain = known ?? (format === 'html' ? htmlToPlainText(text) : markdownToPlainText(text))
    this.#current[format].set(text, plain)
    return plain
  }
}

function noTexts(): Record<LongText['format'], Map<string, string>> {
  return { html: new Map(), markdown: new Map() }
}
