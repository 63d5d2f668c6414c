import type { CreateTableBuilder, Generated, Kysely } from 'kysely'
import type { Engine, Migration } from '../storage'

export interface ItemTables {
  work_item: WorkItemTable
  snapshot: SnapshotTable
  mirror: TrackerLinkTable
  item_number: ItemNumberTable
  gone_item: GoneItemTable
  unfinished_import: UnfinishedImportTable
  tracker_iteration: IterationTable
  tracker_field: TrackerFieldTable
  file_import: FileImportTable
  saved_filter: SavedFilterTable
  working_filter: WorkingFilterTable
  workspace_version: WorkspaceVersionTable
  creation: CreationTable
  tracker_hook: TrackerHookTable
  reported_item: ReportedItemTable
  item_attachment: ItemAttachmentTable
  item_attachment_part: ItemAttachmentPartTable
}

export const itemsMigration: Migration = {
  name: '0001-items',
  async up(db, engine) {
    await createWorkItemTable(db, engine)
    await createSnapshotTable(db)
    await createMirrorTable(db)
    await createItemNumberTable(db)
    await createGoneItemTable(db)
    await createUnfinishedImportTable(db)
    await createTrackerIterationTable(db)
    await createTrackerFieldTable(db)
    await createFileImportTable(db)
    await createFilterTables(db)
    await createWorkspaceVersionTable(db)
    await createCreationTable(db)
    await createHookTables(db)
    await createAttachmentTables(db, engine)
  },
}

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

async function createWorkItemTable(db: Kysely<any>, engine: Engine): Promise<void> {
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

async function createSnapshotTable(db: Kysely<any>): Promise<void> {
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

/** The row of `mirror` that is reserved for the default tracker. */
export const DEFAULT_TRACKER_ID = 1

/** One row for each tracker with items. Row 1 is the default tracker, from its first cached item on. */
interface TrackerLinkTable {
  id: number
  /** Identifies the tracker and its project. */
  tracker: string
  /** The name that the settings gave it last; null for the default tracker. */
  name: string | null
  /** Where the next sync continues in the tracker's feeds of changes; opaque. */
  position: string | null
  /** When the position was read, ISO 8601. */
  synced_at: string | null
  /** When all its items were last compared with the tracker, ISO 8601. */
  checked_at: Generated<string | null>
  /** How often the sync of a service has failed since then, and why the last time. */
  failures: Generated<number>
  failure_code: Generated<string | null>
  failure_text: Generated<string | null>
  /** When a service synchronizes it next, ISO 8601; null for now. */
  due_at: Generated<string | null>
}

async function createMirrorTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('mirror')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('tracker', 'text', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('position', 'text')
    .addColumn('synced_at', 'text')
    .addColumn('checked_at', 'text')
    .addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('failure_code', 'text')
    .addColumn('failure_text', 'text')
    .addColumn('due_at', 'text')
    .execute()
}

/** The local numbers of items of trackers other than the default one, whose IDs would mean other items here. Rows are never changed or removed. */
interface ItemNumberTable {
  local_number: number
  /** The row in `mirror`. */
  tracker_id: number
  /** The ID in the tracker. It is a text, because it can be larger than an integer column of PostgreSQL. */
  remote_id: string
}

async function createItemNumberTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('item_number')
    .addColumn('local_number', 'integer', (c) => c.primaryKey())
    .addColumn('tracker_id', 'integer', (c) => c.notNull())
    .addColumn('remote_id', 'text', (c) => c.notNull())
    .addUniqueConstraint('item_number_remote', ['tracker_id', 'remote_id'])
    .execute()
}

/** Cached items that the last request for them did not return. */
interface GoneItemTable {
  item_id: number
  since: string
  /** Why it is gone; null if the tracker gives no reason. */
  reason: string | null
}

async function createGoneItemTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('gone_item')
    .addColumn('item_id', 'integer', (c) => c.primaryKey())
    .addColumn('since', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .execute()
}

/** Imports that were interrupted. Items that were fetched since need not be fetched again. */
interface UnfinishedImportTable {
  root_id: number
  started_at: string
}

async function createUnfinishedImportTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('unfinished_import')
    .addColumn('root_id', 'integer', (c) => c.primaryKey())
    .addColumn('started_at', 'text', (c) => c.notNull())
    .execute()
}

/** The tracker's iterations. Reports need to know which have ended. */
export interface IterationTable {
  /** The row in `mirror`. */
  tracker_id: number
  path: string
  /** The first day, ISO 8601; null if the iteration has no dates. */
  start_date: string | null
  /** The last day, ISO 8601; null if the iteration has no dates. */
  finish_date: string | null
}

async function createTrackerIterationTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('tracker_iteration')
    .addColumn('tracker_id', 'integer', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('start_date', 'text')
    .addColumn('finish_date', 'text')
    .addPrimaryKeyConstraint('tracker_iteration_pk', ['tracker_id', 'path'])
    .execute()
}

/** The fields of the tracker besides those of every work item, so that their names are known without it. */
export interface TrackerFieldTable {
  /** The row in `mirror`. */
  tracker_id: number
  reference_name: string
  /** The display name. */
  name: string
  kind: string
  /** 1 if only the tracker sets it. */
  read_only: number
}

async function createTrackerFieldTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('tracker_field')
    .addColumn('tracker_id', 'integer', (c) => c.notNull())
    .addColumn('reference_name', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('read_only', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('tracker_field_pk', ['tracker_id', 'reference_name'])
    .execute()
}

/** The files that items were read from. */
interface FileImportTable {
  id: Generated<number>
  name: string
  /** The latest time that the file can show, ISO 8601; null if unknown. */
  as_of: string | null
  imported_at: string
  /** Host and organization of the tracker that the file names, if any. */
  tracker: string | null
}

async function createFileImportTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('file_import')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('as_of', 'text')
    .addColumn('imported_at', 'text', (c) => c.notNull())
    .addColumn('tracker', 'text')
    .execute()
}

/** What items are filtered by; null matches all. */
export interface CriteriaColumns {
  state: string | null
  assigned_to: string | null
  search: string | null
  type: string | null
  area: string | null
  iteration: string | null
  tag: string | null
  parent: string | null
}

/** Also contains the saved views, which are filters with columns. */
interface SavedFilterTable extends CriteriaColumns {
  id: Generated<number>
  name: string
  created_at: string
  /** JSON: string[]; null if it is not a view. */
  columns: string | null
  sort: string | null
}

/** The working filter: one row, or none. */
interface WorkingFilterTable extends CriteriaColumns {
  id: number
  updated_at: string
}

async function createFilterTables(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('saved_filter')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .$call(addCriteria)
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('columns', 'text')
    .addColumn('sort', 'text')
    .execute()
  await db.schema
    .createTable('working_filter')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .$call(addCriteria)
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
}

function addCriteria(table: CreateTableBuilder<string, string>): CreateTableBuilder<string, string> {
  return table
    .addColumn('state', 'text')
    .addColumn('assigned_to', 'text')
    .addColumn('search', 'text')
    .addColumn('type', 'text')
    .addColumn('area', 'text')
    .addColumn('iteration', 'text')
    .addColumn('tag', 'text')
    .addColumn('parent', 'text')
}

/** One row, which every change of an item, a draft or a folder writes in an embedded database. */
interface WorkspaceVersionTable {
  id: number
  value: number
}

async function createWorkspaceVersionTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('workspace_version')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('value', 'integer', (c) => c.notNull())
    .execute()
  await db.insertInto('workspace_version').values({ id: 1, value: 0 }).execute()
}

/** Items that are being created, and created ones that still have their markers. */
export interface CreationTable {
  key: string
  marker: string
  type: string
  started_at: string
  claimed_until: string
  /** JSON: what the item was last sent from */
  sent: string | null
  item_id: number | null
}

async function createCreationTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('creation')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('marker', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('started_at', 'text', (c) => c.notNull())
    .addColumn('claimed_until', 'text', (c) => c.notNull())
    .addColumn('sent', 'text')
    .addColumn('item_id', 'integer')
    .execute()
}

/** A tracker that reports changes. */
interface TrackerHookTable {
  /** The name in the settings, or `default`. */
  tracker: string
  /** What it proves itself with, which a signature needs as it is. */
  secret: string
  /** ISO 8601; when the last event arrived. */
  received_at: string | null
}

/** An item of which a tracker has reported a change, and which has not been read since. */
interface ReportedItemTable {
  /** The name in the settings, or `default`. */
  tracker: string
  /** Its key in the tracker. */
  key: string
  /** How often it was reported: an item that is reported again while it is read is read again. */
  reports: number
  /** ISO 8601; when it was first reported. */
  reported_at: string
}

async function createHookTables(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('tracker_hook')
    .addColumn('tracker', 'text', (c) => c.primaryKey())
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('received_at', 'text')
    .execute()
  await db.schema
    .createTable('reported_item')
    .addColumn('tracker', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('reports', 'integer', (c) => c.notNull())
    .addColumn('reported_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('reported_item_key', ['tracker', 'key'])
    .execute()
}

/** A file of an item that an import has stored. */
interface ItemAttachmentTable {
  id: Generated<number>
  item_id: number
  /** The tracker's own ID, which stays the same as long as the content does. */
  attachment_id: string
  /** As the tracker has it. */
  name: string
  /** What its first bytes say; null for any other file. */
  media_type: string | null
  bytes: number
  /** Hexadecimal. */
  sha256: string
  author: string | null
  /** ISO 8601; null if the tracker did not say it. */
  created_at: string | null
  fetched_at: string
}

/** A piece of the content of a file. */
interface ItemAttachmentPartTable {
  item_attachment_id: number
  /** From 0 on. */
  part: number
  content: Uint8Array
}

async function createAttachmentTables(db: Kysely<any>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('item_attachment')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('item_id', 'integer', (c) => c.notNull())
    .addColumn('attachment_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('media_type', 'text')
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('author', 'text')
    .addColumn('created_at', 'text')
    .addColumn('fetched_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('item_attachment_key', ['item_id', 'attachment_id'])
    .execute()
  await db.schema
    .createTable('item_attachment_part')
    .addColumn('item_attachment_id', 'integer', (c) => c.notNull().references('item_attachment.id'))
    .addColumn('part', 'integer', (c) => c.notNull())
    .addColumn('content', engine === 'postgres' ? 'bytea' : 'blob', (c) => c.notNull())
    .addPrimaryKeyConstraint('item_attachment_part_key', ['item_attachment_id', 'part'])
    .execute()
}
