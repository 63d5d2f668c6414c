import type { Searchable } from '../../items'
import type { LongText } from '../../tracker'

/** A searchable whose long texts are plain: one line, without markup and control characters. */
export interface Entity extends Omit<Searchable, 'description' | 'acceptanceCriteria'> {
  description: string
  criteria: string
}

/** @param plainTextOf takes the markup out of a text. */
export function toEntity(searchable: Searchable, plainTextOf: (text: LongText) => string): Entity {
  const { description, acceptanceCriteria, ...rest } = searchable
  const lineOf = (text: LongText | null) => (text === null ? '' : collapseToLine(plainTextOf(text)))
  return { ...rest, description: lineOf(description), criteria: lineOf(acceptanceCriteria) }
}

function collapseToLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** What stands first among equals: the newer; what has no date comes last. */
export function compareByNewest(a: Stamp, b: Stamp): number {
  const [left, right] = [a.updatedAt ?? '', b.updatedAt ?? '']
  if (left !== right) return left < right ? 1 : -1
  return a.type === b.type ? b.id - a.id : a.type < b.type ? -1 : 1
}

type Stamp = Pick<Searchable, 'type' | 'id' | 'updatedAt'>
