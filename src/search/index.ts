export { createSearch } from './create-search'
export type { EntityType, SearchHit, SearchIndex, SearchOptions } from './search-index'
export type { IndexStats, KeptSearch, SearchContext, SearchIndexes } from './search-indexes'
export { searchLexemesMigration, serverIndexMigration } from './server-index/tables'

/** What a check-up says of the index. */
export async function inspectIndex(place: {
  database: string | null
  inFiles: boolean
}): Promise<import('../storage').Finding> {
  return (await import('./inspect-index')).inspectIndex(place)
}
