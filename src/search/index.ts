export type { EntityType, SearchHit, SearchIndex, SearchOptions } from './search-index'
export { createSearchIndexes, type SearchContext, type SearchIndexes } from './search-indexes'
