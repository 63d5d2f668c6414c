import type { Selectable } from 'kysely'
import type { RunSql } from '../../storage/embedded/engine/read-with-raw-sql'
import type { DraftTable } from '../migrations'
import type { Draft } from '../schemas'

const SELECT =
  'select draft.*, work_item.reference as source_reference from draft left join work_item on work_item.id = draft.source_item_id'

/** A draft with the stored reference of the item that it was copied from. */
export type DraftRow = Selectable<DraftTable> & { source_reference: string | null }

export function toDraft(row: DraftRow): Draft {
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
    sourceReference: row.source_item_id === null ? null : (row.source_reference ?? `#${row.source_item_id}`),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Like `listDrafts`, for a start that does not load the query builder. */
export function listDraftsWithRawSql(run: RunSql, { folderId }: { folderId?: number | undefined }): Draft[] {
  const { rows } =
    folderId === undefined
      ? run<DraftRow>(`${SELECT} order by draft.id`)
      : run<DraftRow>(`${SELECT} where folder_id = ? order by draft.id`, [folderId])
  return rows.map(toDraft)
}
