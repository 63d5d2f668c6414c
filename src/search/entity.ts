import type { LongText } from '../tracker'
import type { Searchable } from '../workspace'

/** A searchable whose long texts are plain: one line, without markup and control characters. */
export interface Entity extends Omit<Searchable, 'description' | 'acceptanceCriteria'> {
  description: string
  criteria: string
}

/** @param plainTextOf takes the markup out of a text. */
export function entityOf(searchable: Searchable, plainTextOf: (text: LongText) => string): Entity {
  const { description, acceptanceCriteria, ...rest } = searchable
  const lineOf = (text: LongText | null) => (text === null ? '' : inOneLine(plainTextOf(text)))
  return { ...rest, description: lineOf(description), criteria: lineOf(acceptanceCriteria) }
}

function inOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
