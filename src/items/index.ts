export { fileImportsMigration, iterationsMigration, mirrorMigration, workspaceMigration } from './migrations'
export {
  changedSearchables,
  findCachedItem,
  findSearchableItems,
  listCachedItems,
  listItemStamps,
  listIterationEnds,
  listReportables,
  noteChanged,
  noteGone,
  pastStatesOf,
  peopleAround,
  type Reportable,
  type Searchable,
  type SearchableStamp,
  type SearchableType,
  touch,
  workspaceVersion,
} from './queries'
export type { PastState } from './rules/past-state'
export { peopleInFields } from './rules/people-in-fields'
export type { CachedItem } from './rules/work-item'
export { Instant, ItemId, Person, StateCategory } from './schemas'
export { SEARCHABLE_TABLES, VERSION_TABLE } from './searchable-tables'
export { type MirrorContext, TRACKER_ERRORS, type WorkspaceContext } from './services/context'
export { fetchItems, saveFetched } from './services/fetch'
