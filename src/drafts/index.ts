export { draftsMigration } from './migrations'
export { saveDraft } from './operations/save-draft'
export { findDraft, findSearchableDrafts, findSearchableFolders, listDraftStamps } from './queries'
export type { Draft } from './schemas'
