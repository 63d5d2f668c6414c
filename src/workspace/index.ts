export {
  type CachedItem,
  listCachedItems,
  listSearchables,
  type Searchable,
  workspaceVersion,
} from './queries'
export { blockersOf } from './rules/blocked'
export { Instant, ItemId, StateCategory, WorkItem } from './schemas'
export { workspaceMigration } from './tables'
