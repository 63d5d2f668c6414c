import type { Context } from '../../kernel'
import type { CommitObserver, Follower, StorageContext } from '../../storage'
import type { EntityType, SearchIndex } from './search-index'

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
  watch: CommitObserver | null
  /** What one on a server must be opened with, likewise. */
  follower: Follower | null
}
