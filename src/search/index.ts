export { searchLexemesMigration, serverIndexMigration } from './migrations'
export { createSearch } from './services/create-search'
export type { EntityType, SearchHit, SearchIndex, SearchOptions } from './services/search-index'
export type {
  IndexStats,
  SearchContext,
  SearchIndexProvider as SearchIndexes,
  SearchSetup as KeptSearch,
} from './services/search-index-provider'

/** What a check-up says of the index. */
export async function inspectIndex(place: {
  database: string | null
  inFiles: boolean
}): Promise<import('../storage').Finding> {
  return (await import('./services/inspect-index')).inspectIndex(place)
}
