export { draftsMigration } from './draft-tables'
export { fileImportsMigration } from './file-import-table'
export { iterationsMigration } from './iteration-table'
export { mirrorMigration } from './mirror-tables'
export { saveDraft } from './operations/save-draft'
export {
  changedSearchables,
  findCachedItem,
  findDraft,
  findSearchables,
  listCachedItems,
  listIterationEnds,
  listReportables,
  listSearchableStamps,
  pastStatesOf,
  peopleAround,
  type Reportable,
  type Searchable,
  type SearchableStamp,
  type SearchableType,
  workspaceVersion,
} from './queries'
export type { PastState } from './rules/past-state'
export { htmlToLines, htmlToPlainText, markdownToPlainText, sanitizeLine, sanitizeText } from './rules/sanitize'
export type { CachedItem } from './rules/work-item'
export { type Draft, Instant, ItemId, Person, StateCategory } from './schemas'
export { SEARCHABLE_TABLES, VERSION_TABLE } from './searchable-tables'
export { workspaceMigration } from './tables'
