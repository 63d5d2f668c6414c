import type { Selectable } from 'kysely'
import type { TableReader } from '../../storage/embedded/engine/table-reader'
import type { DraftTable } from '../migrations'
import type { Draft } from '../schemas'

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
    fields: row.fields === null ? {} : (JSON.parse(row.fields) as Draft['fields']),
    folderId: row.folder_id,
    sourceItemId: row.source_item_id,
    sourceRev: row.source_rev,
    sourceReference: row.source_item_id === null ? null : (row.source_reference ?? `#${row.source_item_id}`),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** The columns before the long texts, which a table of drafts shows and lists are ordered by. */
const OUTLINE = [
  'id',
  'title',
  'story_points',
  'assigned_to',
  'area_path',
  'iteration_path',
  'tags',
  'fields',
  'folder_id',
  'source_item_id',
  'source_rev',
  'created_at',
  'updated_at',
] as const satisfies (keyof DraftRow)[]
const COLUMNS = [...OUTLINE, 'description', 'acceptance_criteria'] as const

/** The drafts by their IDs, without the texts if `withTexts` is false. For a start that loads neither SQLite nor the query builder. */
export function readDraftsFromTables(
  tables: TableReader,
  { folderId, withTexts }: { folderId?: number | undefined; withTexts: boolean },
): Draft[] {
  const drafts: Draft[] = []
  for (const row of tables.all<DraftRow>('draft', withTexts ? COLUMNS : OUTLINE))
    if (folderId === undefined || row.folder_id === folderId) drafts.push(toDraftOfTables(tables, row))
  return drafts
}

/** The draft with all its columns. */
export function readDraftFromTables(tables: TableReader, id: number): Draft {
  return toDraftOfTables(tables, tables.get<DraftRow>('draft', COLUMNS, id)!)
}

function toDraftOfTables(tables: TableReader, row: DraftRow): Draft {
  const item = row.source_item_id && tables.get<{ reference: string }>('work_item', ['reference'], row.source_item_id)
  row.source_reference = item ? item.reference : null
  return toDraft(row)
}
