export { draftsMigration } from '../drafts/migrations'
export { saveDraft } from '../drafts/operations/save-draft'
export { htmlToLines, htmlToPlainText, markdownToPlainText, sanitizeLine, sanitizeText } from '../sanitize'
export { fileImportsMigration } from './file-import-table'
export { workspaceMigration } from './migrations'
export { mirrorMigration } from './mirror-tables'
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
export type { CachedItem } from './rules/work-item'
export { type Draft, Instant, ItemId, Person, StateCategory } from './schemas'
export { SEARCHABLE_TABLES, VERSION_TABLE } from './searchable-tables'
export { iterationsMigration } from './services/iteration-table'
