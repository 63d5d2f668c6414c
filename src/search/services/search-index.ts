import type * as z from 'zod'
import type { Context } from '../../kernel'
import type { CommitObserver, Follower, StorageContext } from '../../storage'
import type { Qualifier } from '../rules/filters'
import type { ParsedQuery } from '../rules/parse-query'
import type { SearchWork } from '../rules/search-work'
import type { EntityType as EntityTypeSchema, IndexStats as IndexStatsSchema, SearchResult } from '../schemas'

/** The port to an index, wherever it is stored. */
export interface SearchIndex {
  /** When the index was last updated, if it lags behind the data; null or absent if it is current. ISO 8601. */
  readonly indexedAt?: string | null
  /** Sorted by score, then newest first. A query without words has no scores. `total` ignores the limit. */
  search(query: ParsedQuery, options: SearchOptions): Promise<SearchResults>
  /** The distinct values that entities have for a qualifier. */
  knownValues(qualifier: Qualifier): string[] | Promise<string[]>
}

export interface SearchResults {
  total: number
  hits: SearchHit[]
}

export type EntityType = z.infer<typeof EntityTypeSchema>

export type EntityRef = `${EntityType}:${number}`

export function toEntityRef({ type, id }: { type: EntityType; id: number }): EntityRef {
  return `${type}:${id}`
}

export function parseEntityRef(ref: EntityRef): { type: EntityType; id: number } {
  const colon = ref.indexOf(':')
  return { type: ref.slice(0, colon) as EntityType, id: Number(ref.slice(colon + 1)) }
}

export interface SearchOptions {
  limit: number
  /** Only entities of this type. */
  type?: EntityType
  /** For a caller that needs only what was found: the snippets are empty. */
  withoutSnippets?: boolean
  /** Counts the work and interrupts it. Without one, nothing does. */
  work?: SearchWork
}

export type SearchHit = z.infer<typeof SearchResult>

/** Provides the index of the workspace, wherever it is stored. Each call updates or repairs it if needed. */
export interface SearchIndexProvider {
  /** The index for searching. */
  current(ctx: Context & StorageContext): Promise<SearchIndex>
  stats(ctx: Context & StorageContext): Promise<IndexStats>
  /** Rebuilds the index from the database. */
  rebuild(ctx: Context & StorageContext): Promise<IndexStats>
  close(): void
}

export type IndexStats = Omit<z.infer<typeof IndexStatsSchema.output>, 'total'>

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
