import { incrementWorkspaceVersion, recordChangedSearchables, recordRemovedSearchable } from '../../items'
import { type ReadTx, tables, type WriteTx } from '../../storage'
import type { DraftTables } from '../migrations'
import { extractContent, type StoredVersion } from '../rules/draft-content'
import type { Draft, DraftContent } from '../schemas'
import { toDraft } from './draft-row'
import { toSearchableDraft } from './searchables'

/** A draft, and which of its versions it is. */
export interface VersionedDraft {
  draft: Draft
  version: number
  /** The version that an undo put back; null where somebody saved. */
  restored: number | null
}

export async function listDrafts(tx: ReadTx, { folderId }: { folderId?: number } = {}): Promise<Draft[]> {
  const all = tables<DraftTables>(tx).selectFrom('draft').selectAll().orderBy('id')
  const rows = await (folderId === undefined ? all : all.where('folder_id', '=', folderId)).execute()
  return rows.map(toDraft)
}

export async function findDraft(tx: ReadTx, id: number): Promise<Draft | null> {
  return (await findVersionedDraft(tx, id))?.draft ?? null
}

export async function findVersionedDraft(tx: ReadTx, id: number): Promise<VersionedDraft | null> {
  const row = await tables<DraftTables>(tx).selectFrom('draft').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? { draft: toDraft(row), version: row.version, restored: row.restored } : null
}

export async function insertDraft(tx: WriteTx, draft: Omit<Draft, 'id'>): Promise<Draft> {
  const row = await tables<DraftTables>(tx)
    .insertInto('draft')
    .values({
      ...toContentColumns(draft),
      source_item_id: draft.sourceItemId,
      source_rev: draft.sourceRev,
      created_at: draft.createdAt,
      updated_at: draft.updatedAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  recordChangedSearchables(tx, () => [toSearchableDraft(row)])
  await incrementWorkspaceVersion(tx)
  return toDraft(row)
}

/** Puts `content` in the place of a draft's own, which is kept as a version. */
export async function changeDraft(
  tx: WriteTx,
  { draft, version, restored }: VersionedDraft,
  next: { content: DraftContent; at: string; restored: number | null },
): Promise<Draft> {
  const db = tables<DraftTables>(tx)
  await db
    .insertInto('draft_version')
    .values({
      draft_id: draft.id,
      version,
      content: JSON.stringify(extractContent(draft)),
      saved_at: draft.updatedAt,
      restored,
    })
    .execute()
  const row = await db
    .updateTable('draft')
    .set({
      ...toContentColumns(next.content),
      updated_at: next.at,
      version: version + 1,
      restored: next.restored,
    })
    .where('id', '=', draft.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  recordChangedSearchables(tx, () => [toSearchableDraft(row)])
  await incrementWorkspaceVersion(tx)
  return toDraft(row)
}

/** The draft and all that it ever was. */
export async function deleteDraft(tx: WriteTx, id: number): Promise<void> {
  const db = tables<DraftTables>(tx)
  await db.deleteFrom('draft_version').where('draft_id', '=', id).execute()
  await db.deleteFrom('draft').where('id', '=', id).execute()
  recordRemovedSearchable(tx, 'draft', id)
  await incrementWorkspaceVersion(tx)
}

/** What a draft was before its latest version, from the first on. */
export async function listFormerVersions(tx: ReadTx, draftId: number): Promise<StoredVersion[]> {
  const rows = await tables<DraftTables>(tx)
    .selectFrom('draft_version')
    .select(['version', 'saved_at', 'restored', 'content'])
    .where('draft_id', '=', draftId)
    .orderBy('version')
    .execute()
  return rows.map((row) => ({
    version: row.version,
    savedAt: row.saved_at,
    restored: row.restored,
    content: JSON.parse(row.content) as DraftContent,
  }))
}

function toContentColumns(content: DraftContent) {
  return {
    title: content.title,
    description: content.description,
    acceptance_criteria: content.acceptanceCriteria,
    story_points: content.storyPoints,
    assigned_to: content.assignedTo,
    area_path: content.areaPath,
    iteration_path: content.iterationPath,
    tags: content.tags,
    folder_id: content.folderId,
  }
}
