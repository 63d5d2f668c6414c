import type { ReadTx, WriteTx } from '../../storage'
import type { Draft, Folder } from '../schemas'
import type { DraftTable } from '../tables'
import { touch, workspaceTables } from './version'

export async function listFolders(tx: ReadTx): Promise<Folder[]> {
  const rows = await workspaceTables(tx)
    .selectFrom('folder')
    .leftJoin('draft', 'draft.folder_id', 'folder.id')
    .select(['folder.id', 'folder.name', 'folder.parent_id'])
    .select((eb) => eb.fn.count<number>('draft.id').as('drafts'))
    .groupBy(['folder.id', 'folder.name', 'folder.parent_id'])
    .orderBy('folder.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    parentId: row.parent_id,
    draftCount: Number(row.drafts),
  }))
}

export async function folderExists(tx: ReadTx, id: number): Promise<boolean> {
  return (
    (await workspaceTables(tx).selectFrom('folder').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  )
}

export async function listDrafts(tx: ReadTx): Promise<Draft[]> {
  const rows = await workspaceTables(tx).selectFrom('draft').selectAll().orderBy('id').execute()
  return rows.map(draftOf)
}

export async function findDraft(tx: ReadTx, id: number): Promise<Draft | null> {
  const row = await workspaceTables(tx).selectFrom('draft').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? draftOf(row) : null
}

export async function insertDraft(tx: WriteTx, draft: Omit<Draft, 'id'>): Promise<Draft> {
  const row = await workspaceTables(tx)
    .insertInto('draft')
    .values({
      title: draft.title,
      description: draft.description,
      acceptance_criteria: draft.acceptanceCriteria,
      story_points: draft.storyPoints,
      assigned_to: draft.assignedTo,
      area_path: draft.areaPath,
      iteration_path: draft.iterationPath,
      tags: draft.tags,
      folder_id: draft.folderId,
      source_item_id: draft.sourceItemId,
      source_rev: draft.sourceRev,
      created_at: draft.createdAt,
      updated_at: draft.updatedAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await touch(tx)
  return draftOf(row)
}

function draftOf(row: Omit<DraftTable, 'id'> & { id: number }): Draft {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    acceptanceCriteria: row.acceptance_criteria,
    storyPoints: row.story_points,
    assignedTo: row.assigned_to,
    areaPath: row.area_path,
    iterationPath: row.iteration_path,
    tags: row.tags,
    folderId: row.folder_id,
    sourceItemId: row.source_item_id,
    sourceRev: row.source_rev,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
