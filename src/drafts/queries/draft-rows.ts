import type { Selectable } from 'kysely'
import type { RunSql } from '../../storage/embedded/read-with-raw-sql'
import type { DraftTable } from '../migrations'
import type { Draft } from '../schemas'

export type DraftRow = Selectable<DraftTable>

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
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Like `listDrafts`, for a start that does not load the query builder. */
export function listDraftsWithRawSql(run: RunSql, { folderId }: { folderId?: number | undefined }): Draft[] {
  const { rows } =
    folderId === undefined
      ? run<DraftRow>('select * from draft order by id')
      : run<DraftRow>('select * from draft where folder_id = ? order by id', [folderId])
  return rows.map(toDraft)
}
