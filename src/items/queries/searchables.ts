import type { ReadTx } from '../../storage'
import type { LongText, Person, StateCategory } from '../../tracker'
import type { WorkItemTable } from '../migrations'
import { itemTables } from './item-tables'

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

/** Every cached item, as a stamp. */
export async function listItemStamps(tx: ReadTx): Promise<SearchableStamp[]> {
  const rows = await itemTables(tx).selectFrom('work_item').select(['id', 'changed_at']).execute()
  return rows.map((row) => ({ type: 'devops', id: row.id, updatedAt: row.changed_at }))
}

/** The items among `ids` that are cached, in no order. An engine takes only so many parameters: at most 500 ids. */
export async function findSearchableItems(tx: ReadTx, ids: readonly number[]): Promise<Searchable[]> {
  const rows = await itemTables(tx).selectFrom('work_item').select(ITEM_COLUMNS).where('id', 'in', ids).execute()
  return rows.map(toSearchableItem)
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

export type ItemRow = Pick<WorkItemTable, (typeof ITEM_COLUMNS)[number]>

export function toSearchableItem(row: ItemRow): Searchable {
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

function longText(text: string | null, format: string | null): LongText | null {
  return text === null ? null : { text, format: format === 'markdown' ? 'markdown' : 'html' }
}
