export * from './drafts'
export * from './folders'
export { findSearchableDrafts, findSearchableFolders, listDraftStamps } from './searchables'
