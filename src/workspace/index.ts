export { listCachedItems, listSearchables, type Searchable, workspaceVersion } from './queries'
export { htmlToPlainText, markdownToPlainText } from './rules/sanitize'
export type { CachedItem } from './rules/work-item'
export { workspaceMigration } from './tables'
