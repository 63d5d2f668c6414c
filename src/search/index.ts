export { searchMigration } from './migrations'
export { createSearch } from './services/create-search'
export type { SearchContext } from './services/search-index'

/** Checks the index for `studio doctor`. Loaded when it is needed. */
export async function inspectIndex(place: {
  database: string | null
  inFiles: boolean
}): Promise<import('../storage').Finding> {
  return (await import('./services/inspect-index')).inspectIndex(place)
}
