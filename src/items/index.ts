export { fileImportsMigration, iterationsMigration, mirrorMigration, workspaceMigration } from './migrations'
export {
  findCachedItem,
  findRelatedPeople,
  findSearchableItems,
  incrementWorkspaceVersion,
  listCachedItems,
  listItemStamps,
  listIterationEnds,
  listReportables,
  type Reportable,
  readPastStates,
  readSearchableChanges,
  readWorkspaceVersion,
  recordChangedSearchables,
  recordRemovedSearchable,
  type Searchable,
  type SearchableStamp,
  type SearchableType,
} from './queries'
export { SEARCHABLE_TABLES, VERSION_TABLE } from './queries/searchable-tables'
export type { CachedItem } from './rules/cached-item'
export { findPeopleInFields, type PastState } from './rules/snapshot-fields'
export { Instant, ItemId, Person, StateCategory } from './schemas'
export { fetchItems, saveFetched } from './services/fetch-items'
export {
  createItemNotFoundError,
  createNoSnapshotError,
  TRACKER_ERRORS,
  type TrackerWorkspaceContext,
  type WorkspaceContext,
} from './services/workspace-context'
