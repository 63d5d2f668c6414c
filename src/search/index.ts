export { searchLexemesMigration, serverIndexMigration } from './migrations'
export { createSearch } from './services/create-search'
export type {
  EntityType,
  IndexStats,
  SearchContext,
  SearchHit,
  SearchIndex,
  SearchIndexProvider as SearchIndexes,
  SearchOptions,
  SearchSetup as KeptSearch,
} from './services/search-index'

/** What a check-up says of the index. */
export async function inspectIndex(place: {
  database: string | null
  inFiles: boolean
}): Promise<import('../storage').Finding> {
  return (await import('./services/inspect-index')).inspectIndex(place)
}
