export * from './cached-items'
export { changedSearchables, noteChanged, noteGone } from './changes'
export * from './fetched-items'
export * from './file-imports'
export * from './filters'
export * from './iterations'
export * from './mirror'
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
export * from './unfinished-imports'
export { touch, workspaceVersion } from './version'
