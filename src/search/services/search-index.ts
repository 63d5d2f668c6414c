import type { Context } from '../../kernel'
import type { CommitObserver, Follower, StorageContext } from '../../storage'
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

/** The index of what the workspace holds, wherever it is kept. It is looked at, and where need be mended, by each call. */
export interface SearchIndexProvider {
  /** What answers for the workspace as it is now. */
  current(ctx: Context & StorageContext): Promise<SearchIndex>
  stats(ctx: Context & StorageContext): Promise<IndexStats>
  /** Makes all of it anew from the database. */
  rebuild(ctx: Context & StorageContext): Promise<IndexStats>
  close(): void
}

export interface IndexStats {
  entities: Record<EntityType, number>
  /** ISO 8601; null where nothing has been indexed yet. */
  lastIndexedAt: string | null
  /** Different ones. */
  terms: number
  /** On disk, the server's where it is kept there; 0 for an index in memory. */
  bytes: number
  /** `database`: in tables of the server. `memory`: in this process alone, for as long as it runs. */
  kept: 'files' | 'database' | 'memory'
}

/** What an operation that searches asks for. */
export interface SearchContext {
  search: SearchIndexProvider
}

export interface SearchSetup {
  indexes: SearchIndexProvider
  /** What a database in a file must be opened with, so that the index is kept with it. */
  observer: CommitObserver | null
  /** What one on a server must be opened with, likewise. */
  follower: Follower | null
}

/** The statistics as every surface shows them. */
export function toStatsOutput(stats: IndexStats) {
  const { devops, draft, folder } = stats.entities
  return { ...stats, total: devops + draft + folder }
}
