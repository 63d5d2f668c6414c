import type { ParsedQuery } from '../rules/parse-query'
import { PhraseMatcher, StemLookup } from '../rules/phrase'
import type { SearchWork } from '../rules/search-work'
import { createSnippet, type HighlightTerms } from '../rules/snippet'
import type { Entity } from './entity'
import type { SearchHit } from './search-index'

/** The terms to highlight in results; none if only titles are searched. */
export function selectHighlightTerms(
  { inTitle, phrases }: ParsedQuery,
  worth: ReadonlyMap<string, number>,
): HighlightTerms {
  if (inTitle) return { worth: null, phrases: new PhraseMatcher([]) }
  const stems = new StemLookup(worth.keys())
  const worthOf = (form: string) => {
    const term = stems.of(form)
    return term === null ? 0 : (worth.get(term) ?? 0)
  }
  return { worth: worth.size === 0 ? null : worthOf, phrases: new PhraseMatcher(phrases) }
}

/** Without terms to highlight, the hit has no snippet. */
export async function toSearchHit(
  { entity, score }: { entity: Entity; score: number },
  highlightTerms: HighlightTerms | null,
  work: SearchWork,
): Promise<SearchHit> {
  const { type, id, title, state, folderId, updatedAt, url, reference, description, criteria } = entity
  const { snippet, highlights } =
    highlightTerms === null
      ? { snippet: '', highlights: [] }
      : await createSnippet([description, criteria], highlightTerms, work)
  await work.checkpoint()
  return { type, id, title, score, snippet, highlights, state, folderId, updatedAt, url, reference }
}
