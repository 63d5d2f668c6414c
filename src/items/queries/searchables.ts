import { sql } from 'kysely'
import { getEngine, type ReadTx, type WriteTx } from '../../storage'
import type { LongText, Person, StateCategory } from '../../tracker'
import type { WorkItemTable } from '../tables/work-item-tables'
import { itemTables, toLongText, toPerson } from './item-tables'

/** A cached item, draft or folder as search indexes it. Texts are in their stored format. */
export interface Searchable extends SearchableStamp {
  title: string
  tags: string[]
  description: LongText | null
  acceptanceCriteria: LongText | null
  /** The type of a work item, such as `Bug`; null for drafts and folders. */
  itemType: string | null
  /** Backlog level: 0 task, 1 story, 2 feature, 3 epic; null if it is on no backlog. */
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
  /** The reference of a work item, if that is not its ID. */
  reference: string | null
}

export type SearchableType = 'devops' | 'draft' | 'folder'

/** Identifies a searchable and its last change. */
export interface SearchableStamp {
  type: SearchableType
  id: number
  updatedAt: string | null
}

export async function listItemStamps(tx: ReadTx): Promise<SearchableStamp[]> {
  const rows = await itemTables(tx).selectFrom('work_item').select(['id', 'changed_at']).execute()
  return rows.map((row) => ({ type: 'devops', id: row.id, updatedAt: row.changed_at }))
}

/** The cached items among `ids` (at most `MAX_IDS_PER_STATEMENT`), in no order. */
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
  'reference',
] as const satisfies readonly (keyof WorkItemTable)[]

type ItemRow = Pick<WorkItemTable, (typeof ITEM_COLUMNS)[number]>

export function toSearchableItem(row: ItemRow): Searchable {
  return {
    type: 'devops',
    id: row.id,
    title: row.title,
    tags: JSON.parse(row.tags) as string[],
    description: toLongText(row.description, row.description_format),
    acceptanceCriteria: toLongText(row.acceptance_criteria, row.acceptance_format),
    itemType: row.type,
    level: row.level,
    state: row.state,
    stateCategory: row.state_category as StateCategory | null,
    priority: row.priority,
    assignedTo: toPerson(row),
    areaPath: row.area_path,
    iterationPath: row.iteration_path,
    folderId: null,
    updatedAt: row.changed_at,
    url: row.url,
    reference: row.reference,
  }
}

/** What a transaction has changed so far. */
interface SearchableChanges {
  changed: Searchable[]
  removed: SearchableRef[]
}

interface SearchableRef {
  type: SearchableType
  id: number
}

const changes = new WeakMap<ReadTx, Map<string, Searchable | (SearchableRef & { removed: true })>>()

/** The last change of each searchable. Empty for the embedded engine, whose commit log lists the changed rows. */
export function readSearchableChanges(tx: ReadTx): SearchableChanges {
  const found: SearchableChanges = { changed: [], removed: [] }
  for (const change of changes.get(tx)?.values() ?? []) {
    if ('removed' in change) found.removed.push({ type: change.type, id: change.id })
    else found.changed.push(change)
  }
  return found
}

/** On a server, the search index is updated from these changes at the end of the transaction. */
export function recordChangedSearchables(tx: WriteTx, listChanged: () => readonly Searchable[]): void {
  if (getEngine(tx) === 'postgres') for (const searchable of listChanged()) record(tx, searchable)
}

export function recordRemovedSearchable(tx: WriteTx, type: SearchableType, id: number): void {
  if (getEngine(tx) === 'postgres') record(tx, { type, id, removed: true })
}

function record(tx: WriteTx, change: Searchable | (SearchableRef & { removed: true })): void {
  const recorded = changes.get(tx) ?? new Map()
  recorded.set(`${change.type}:${change.id}`, change)
  changes.set(tx, recorded)
}

/** Counts the changes of items, drafts and folders in embedded databases. On a server it never changes. */
export async function readWorkspaceVersion(tx: ReadTx): Promise<number> {
  const row = await itemTables(tx).selectFrom('workspace_version').select('value').executeTakeFirstOrThrow()
  return row.value
}

/** Does nothing on a server, where every writer would wait for a lock on this one row and no code reads it. */
export async function incrementWorkspaceVersion(tx: WriteTx): Promise<void> {
  if (getEngine(tx) !== 'postgres') await touchWorkspace(tx)
}

/** The smallest change of the database, which means nothing. */
export async function touchWorkspace(tx: WriteTx): Promise<void> {
  await itemTables(tx).updateTable('workspace_version').set({ value: sql<number>`value + 1` }).execute()
}
