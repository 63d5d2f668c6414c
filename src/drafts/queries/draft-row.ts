import type { DraftTable } from '../migrations'
import type { Draft } from '../schemas'

export type DraftRow = { [Column in Exclude<keyof DraftTable, 'id' | 'version' | 'restored'>]: DraftTable[Column] } & {
  id: number
  version: number
  restored: number | null
}

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
