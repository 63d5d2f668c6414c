import type { ParsedQuery } from '../rules/parse-query'
import { createSnippet, type HighlightTerms } from '../rules/snippet'
import { stem } from '../rules/stem'
import type { Entity } from './entity'
import type { SearchHit } from './search-index'

/** The terms to highlight in results; none if only titles are searched. */
export function selectHighlightTerms(
  { inTitle, phrases }: ParsedQuery,
  worth: ReadonlyMap<string, number>,
): HighlightTerms {
  if (inTitle) return { worth: () => 0, phrases: [] }
  const known = new Map<string, number>()
  const worthOf = (form: string) => {
    const value = known.get(form) ?? worth.get(stem(form)) ?? 0
    known.set(form, value)
    return value
  }
  return { worth: worthOf, phrases }
}

export function toSearchHit(entity: Entity, score: number, highlightTerms: HighlightTerms): SearchHit {
  const { type, id, title, state, folderId, updatedAt, url, reference, description, criteria } = entity
  const { snippet, highlights } = createSnippet([description, criteria], highlightTerms)
  return { type, id, title, score, snippet, highlights, state, folderId, updatedAt, url, reference }
}
