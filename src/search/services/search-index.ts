import type { Context } from '../../kernel'
import type { CommitObserver, Follower, StorageContext } from '../../storage'
import type { Qualifier } from '../rules/filters'
import type { ParsedQuery } from '../rules/parse-query'

/** The port to an index, wherever it is stored. */
export interface SearchIndex {
  /** When the index was last updated, if it lags behind the data; null or absent if it is current. ISO 8601. */
  readonly indexedAt?: string | null
  /** Sorted by score, then newest first. A query without words has no scores. `total` ignores the limit. */
  search(query: ParsedQuery, options: SearchOptions): SearchResults | Promise<SearchResults>
  /** The distinct values that entities have for a qualifier. */
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

/** Provides the index of the workspace, wherever it is stored. Each call updates or repairs it if needed. */
export interface SearchIndexProvider {
  /** The index for searching. */
  current(ctx: Context & StorageContext): Promise<SearchIndex>
  stats(ctx: Context & StorageContext): Promise<IndexStats>
  /** Rebuilds the index from the database. */
  rebuild(ctx: Context & StorageContext): Promise<IndexStats>
  close(): void
}

export interface IndexStats {
  entities: Record<EntityType, number>
  /** ISO 8601; null if nothing has been indexed. */
  lastIndexedAt: string | null
  /** Distinct terms. */
  terms: number
  /** On the disk of this machine or the server; 0 for an index in memory. */
  bytes: number
  /** `database`: in tables of the server. `memory`: in this process only. */
  kept: 'files' | 'database' | 'memory'
}

/** The context of an operation that searches. */
export interface SearchContext {
  search: SearchIndexProvider
}

export interface SearchSetup {
  indexes: SearchIndexProvider
  /** Must be passed when a database in a file is opened, so that its commits update the index. */
  observer: CommitObserver | null
  /** Must be passed when a database on a server is opened. */
  follower: Follower | null
}

/** The statistics as all surfaces show them. */
export function toStatsOutput(stats: IndexStats) {
  const { devops, draft, folder } = stats.entities
  return { ...stats, total: devops + draft + folder }
}
