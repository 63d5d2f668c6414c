export * from './cached-items'
export { readSearchableChanges, recordChangedSearchables, recordRemovedSearchable } from './changes'
export * from './fetched-items'
export * from './file-imports'
export * from './filters'
export * from './iterations'
export * from './people'
export * from './predecessors'
export * from './reportables'
export {
  findSearchableItems,
  listItemStamps,
  type Searchable,
  type SearchableStamp,
  type SearchableType,
} from './searchables'
export * from './snapshots'
export * from './tracker-link'
export * from './unfinished-imports'
export { incrementWorkspaceVersion, readWorkspaceVersion } from './workspace-version'
