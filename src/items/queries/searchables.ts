import type { ReadTx } from '../../storage'
import type { LongText, Person, StateCategory } from '../../tracker'
import type { DraftTable, FolderTable, WorkItemTable } from '../migrations'
import { workspaceTables } from './version'

/** One thing that search can find. Texts are as they are kept: HTML or Markdown. */
export interface Searchable extends SearchableStamp {
  title: string
  tags: string[]
  description: LongText | null
  acceptanceCriteria: LongText | null
  /** The work item's own type, `Bug`; null for drafts and folders. */
  itemType: string | null
  /** Backlog level: 0 task, 1 story, 2 feature, 3 epic; null for what is on no backlog. */
  level: number | null
  state: string | null
  stateCategory: StateCategory | null
  priority: number | null
  assignedTo: Person | null
  areaPath: string | null
  iterationPath: string | null
  folderId: number | null
  /** The item's page in the tracker. */
  url: string | null
}

export type SearchableType = 'devops' | 'draft' | 'folder'

/** As little of it as tells which it is, and how new. */
export interface SearchableStamp {
  type: SearchableType
  id: number
  updatedAt: string | null
}

/** All that search can find. */
export async function listSearchableStamps(tx: ReadTx): Promise<SearchableStamp[]> {
  const db = workspaceTables(tx)
  const [items, drafts, folders] = [
    await db.selectFrom('work_item').select(['id', 'changed_at']).execute(),
    await db.selectFrom('draft').select(['id', 'updated_at']).execute(),
    await db.selectFrom('folder').select('id').execute(),
  ]
  return [
    ...items.map((row) => ({ type: 'devops' as const, id: row.id, updatedAt: row.changed_at })),
    ...drafts.map((row) => ({ type: 'draft' as const, id: row.id, updatedAt: row.updated_at })),
    ...folders.map((row) => ({ type: 'folder' as const, id: row.id, updatedAt: null })),
  ]
}

/** An engine takes only so many parameters in one statement. */
const IDS_A_STATEMENT = 500

/** Those of `ids` that are there, in no order. */
export async function findSearchables(tx: ReadTx, type: SearchableType, ids: readonly number[]): Promise<Searchable[]> {
  const found: Searchable[] = []
  for (let start = 0; start < ids.length; start += IDS_A_STATEMENT) {
    found.push(...(await readers[type](tx, ids.slice(start, start + IDS_A_STATEMENT))))
  }
  return found
}

type Read = (tx: ReadTx, ids: readonly number[]) => Promise<Searchable[]>

const readers: Record<SearchableType, Read> = {
  async devops(tx, ids) {
    const rows = await workspaceTables(tx).selectFrom('work_item').select(ITEM_COLUMNS).where('id', 'in', ids).execute()
    return rows.map(searchableItem)
  },
  async draft(tx, ids) {
    const rows = await workspaceTables(tx).selectFrom('draft').select(DRAFT_COLUMNS).where('id', 'in', ids).execute()
    return rows.map(searchableDraft)
  },
  async folder(tx, ids) {
    const rows = await workspaceTables(tx).selectFrom('folder').selectAll().where('id', 'in', ids).execute()
    return rows.map(searchableFolder)
  },
}

const ITEM_COLUMNS = [
  'id',
  'title',
  'tags',
  'description',
  'description_format',
  'acceptance_criteria',
  'acceptance_format',
  'type',
  'level',
  'state',
  'state_category',
  'priority',
  'assigned_name',
  'assigned_account',
  'area_path',
  'iteration_path',
  'changed_at',
  'url',
] as const satisfies readonly (keyof WorkItemTable)[]

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

export type ItemRow = Pick<WorkItemTable, (typeof ITEM_COLUMNS)[number]>
export type DraftRow = Pick<DraftTable, Exclude<(typeof DRAFT_COLUMNS)[number], 'id'>> & { id: number }
export type FolderRow = Omit<FolderTable, 'id'> & { id: number }

export function searchableItem(row: ItemRow): Searchable {
  const { assigned_name: name, assigned_account: account } = row
  return {
    type: 'devops',
    id: row.id,
    title: row.title,
    tags: JSON.parse(row.tags) as string[],
    description: longText(row.description, row.description_format),
    acceptanceCriteria: longText(row.acceptance_criteria, row.acceptance_format),
    itemType: row.type,
    level: row.level,
    state: row.state,
    stateCategory: row.state_category as StateCategory | null,
    priority: row.priority,
    assignedTo: name === null ? null : { displayName: name, uniqueName: account },
    areaPath: row.area_path,
    iterationPath: row.iteration_path,
    folderId: null,
    updatedAt: row.changed_at,
    url: row.url,
  }
}

export function searchableDraft(row: DraftRow): Searchable {
  return {
    type: 'draft',
    id: row.id,
    title: row.title,
    tags: splitTags(row.tags),
    description: longText(row.description, 'markdown'),
    acceptanceCriteria: longText(row.acceptance_criteria, 'markdown'),
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

export function searchableFolder(row: FolderRow): Searchable {
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

function longText(text: string | null, format: string | null): LongText | null {
  return text === null ? null : { text, format: format === 'markdown' ? 'markdown' : 'html' }
}
