import type { Searchable, SearchableStamp } from '../../items'
import { type ReadTx, tables } from '../../storage'
import type { DraftTable, DraftTables, FolderTable } from '../migrations'

/** Every draft and every folder, as a stamp. */
export async function listDraftStamps(tx: ReadTx): Promise<SearchableStamp[]> {
  const db = tables<DraftTables>(tx)
  const drafts = await db.selectFrom('draft').select(['id', 'updated_at']).execute()
  const folders = await db.selectFrom('folder').select('id').execute()
  return [
    ...drafts.map((row) => ({ type: 'draft' as const, id: row.id, updatedAt: row.updated_at })),
    ...folders.map((row) => ({ type: 'folder' as const, id: row.id, updatedAt: null })),
  ]
}

/** The drafts among `ids` that exist, in no order; at most 500 ids. */
export async function findSearchableDrafts(tx: ReadTx, ids: readonly number[]): Promise<Searchable[]> {
  const rows = await tables<DraftTables>(tx).selectFrom('draft').select(DRAFT_COLUMNS).where('id', 'in', ids).execute()
  return rows.map(toSearchableDraft)
}

/** The folders among `ids` that exist, in no order; at most 500 ids. */
export async function findSearchableFolders(tx: ReadTx, ids: readonly number[]): Promise<Searchable[]> {
  const rows = await tables<DraftTables>(tx).selectFrom('folder').selectAll().where('id', 'in', ids).execute()
  return rows.map(toSearchableFolder)
}

const DRAFT_COLUMNS = [
  'id',
  'title',
  'tags',
  'description',
  'acceptance_criteria',
  'assigned_to',
  'area_path',
  'iteration_path',
  'folder_id',
  'updated_at',
] as const satisfies readonly (keyof DraftTable)[]

type DraftRow = Pick<DraftTable, Exclude<(typeof DRAFT_COLUMNS)[number], 'id'>> & { id: number }
type FolderRow = Omit<FolderTable, 'id'> & { id: number }

export function toSearchableDraft(row: DraftRow): Searchable {
  return {
    type: 'draft',
    id: row.id,
    title: row.title,
    tags: splitTags(row.tags),
    description: toMarkdown(row.description),
    acceptanceCriteria: toMarkdown(row.acceptance_criteria),
    itemType: null,
    level: null,
    state: null,
    stateCategory: null,
    priority: null,
    assignedTo: row.assigned_to === null ? null : { displayName: row.assigned_to, uniqueName: null },
    areaPath: row.area_path,
    iterationPath: row.iteration_path,
    folderId: row.folder_id,
    updatedAt: row.updated_at,
    url: null,
  }
}

export function toSearchableFolder(row: FolderRow): Searchable {
  return {
    type: 'folder',
    id: row.id,
    title: row.name,
    tags: [],
    description: null,
    acceptanceCriteria: null,
    itemType: null,
    level: null,
    state: null,
    stateCategory: null,
    priority: null,
    assignedTo: null,
    areaPath: null,
    iterationPath: null,
    folderId: row.parent_id,
    updatedAt: null,
    url: null,
  }
}

function splitTags(tags: string | null): string[] {
  return (tags ?? '')
    .split(';')
    .map((tag) => tag.trim())
    .filter(Boolean)
}

function toMarkdown(text: string | null): Searchable['description'] {
  return text === null ? null : { text, format: 'markdown' }
}
