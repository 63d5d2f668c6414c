import type { Generated, Kysely } from 'kysely'
import type { Engine } from '../../storage'

/** The cached version of each item. Times are ISO 8601. */
export interface WorkItemTable {
  id: number
  rev: number
  type: string
  /** Backlog level: 0 task, 1 story, 2 feature, 3 epic…; null if it is on no backlog */
  level: number | null
  title: string
  state: string
  state_category: string | null
  assigned_name: string | null
  assigned_account: string | null
  area_path: string
  iteration_path: string
  /** JSON: string[] */
  tags: string
  story_points: number | null
  priority: number | null
  parent_id: number | null
  /** JSON: `Predecessor[]`, as they were when this item was fetched */
  predecessors: string
  blocked_field: number
  description: string | null
  description_format: string | null
  acceptance_criteria: string | null
  acceptance_format: string | null
  url: string
  changed_at: string
  relations_fingerprint: string
  remote_rev: number
  fetched_at: string
  /** The file that it was read from; null if the tracker provided it. */
  file_import_id: number | null
  /** 1 after a sync of all items of its tracker that knew it; null before. */
  compared: number | null
  /** Its reference if that is not its ID: `ABC-7` in the default tracker, `gh:owner/repository#12` in the tracker `gh`. */
  reference: string | null
}

/** The columns that lists filter by, so that a filter reads this index and not all items. */
const FILTERED_COLUMNS = [
  'iteration_path',
  'state',
  'state_category',
  'type',
  'level',
  'area_path',
  'assigned_name',
  'assigned_account',
  'tags',
]

export async function createWorkItemTable(db: Kysely<any>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('work_item')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('rev', 'integer', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('level', 'integer')
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_category', 'text')
    .addColumn('assigned_name', 'text')
    .addColumn('assigned_account', 'text')
    .addColumn('area_path', 'text', (c) => c.notNull())
    .addColumn('iteration_path', 'text', (c) => c.notNull())
    .addColumn('tags', 'text', (c) => c.notNull())
    .addColumn('story_points', 'double precision')
    .addColumn('priority', 'double precision')
    .addColumn('parent_id', 'integer')
    .addColumn('predecessors', 'text', (c) => c.notNull())
    .addColumn('blocked_field', 'integer', (c) => c.notNull())
    .addColumn('description_format', 'text')
    .addColumn('acceptance_format', 'text')
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('changed_at', 'text', (c) => c.notNull())
    .addColumn('relations_fingerprint', 'text', (c) => c.notNull())
    .addColumn('remote_rev', 'integer', (c) => c.notNull())
    .addColumn('fetched_at', 'text', (c) => c.notNull())
    .addColumn('file_import_id', 'integer')
    .addColumn('compared', 'integer')
    .addColumn('reference', 'text')
    // Last, because a database reads a column after a long text as slowly as the text.
    .addColumn('description', 'text')
    .addColumn('acceptance_criteria', 'text')
    .execute()
  await db.schema.createIndex('work_item_parent').on('work_item').column('parent_id').execute()
  if (engine === 'sqlite')
    await db.schema.createIndex('work_item_filter').on('work_item').columns(FILTERED_COLUMNS).execute()
  // A B-tree of PostgreSQL refuses long paths.
  else
    for (const column of ['iteration_path', 'assigned_name'])
      await db.schema.createIndex(`work_item_${column}`).on('work_item').using('hash').column(column).execute()
}

/** Every version of an item that studio has read. Rows are never changed or removed. */
export interface SnapshotTable {
  id: Generated<number>
  item_id: number
  rev: number
  relations_fingerprint: string
  /** JSON: the fields by reference name */
  fields: string
  recorded_at: string
  file_import_id: number | null
}

export async function createSnapshotTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('snapshot')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('item_id', 'integer', (c) => c.notNull())
    .addColumn('rev', 'integer', (c) => c.notNull())
    .addColumn('relations_fingerprint', 'text', (c) => c.notNull())
    .addColumn('fields', 'text', (c) => c.notNull())
    .addColumn('recorded_at', 'text', (c) => c.notNull())
    .addColumn('file_import_id', 'integer')
    .execute()
  await db.schema.createIndex('snapshot_item').on('snapshot').columns(['item_id', 'id']).execute()
}

/** Cached items that the last request for them did not return. */
export interface GoneItemTable {
  item_id: number
  since: string
  /** Why it is gone; null if the tracker gives no reason. */
  reason: string | null
}

export async function createGoneItemTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('gone_item')
    .addColumn('item_id', 'integer', (c) => c.primaryKey())
    .addColumn('since', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .execute()
}

/** One row, which every change of an item, a draft or a folder writes in an embedded database. */
export interface WorkspaceVersionTable {
  id: number
  value: number
}

export async function createWorkspaceVersionTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('workspace_version')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('value', 'integer', (c) => c.notNull())
    .execute()
  await db.insertInto('workspace_version').values({ id: 1, value: 0 }).execute()
}
