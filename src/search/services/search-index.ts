import type { Qualifier } from '../rules/filters'
import type { ParsedQuery } from '../rules/parse-query'

/** The port to an index, wherever it is kept. */
export interface SearchIndex {
  /** When the index was last updated, if it lags behind the data; null or absent if it is current. ISO 8601. */
  readonly indexedAt?: string | null
  /** Higher scores first, ties by newer; a query without words has no scores. `total` counts all that pass, whatever the limit. */
  search(query: ParsedQuery, options: SearchOptions): SearchResults | Promise<SearchResults>
  /** The values of a qualifier that entities have, each once. */
  knownValues(qualifier: Qualifier): string[] | Promise<string[]>
}

export interface SearchResults {
  total: number
  hits: SearchHit[]
}

export type EntityType = 'devops' | 'draft' | 'folder'

export interface SearchOptions {
  limit: number
  /** Only entities of this type. */
  type?: EntityType
}

export interface SearchHit {
  type: EntityType
  id: number
  title: string
  score: number
  /** Plain text around the best cluster of hits. */
  snippet: string
  /** UTF-16 offsets into the snippet, half-open, sorted, not overlapping. */
  highlights: [start: number, end: number][]
  state: string | null
  folderId: number | null
  /** ISO 8601. */
  updatedAt: string | null
  /** A work item's page in the tracker. */
  url: string | null
}
