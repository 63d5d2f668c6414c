import type { Generated } from 'kysely'
import type { Migration } from '../storage'

export interface ItemTables {
  work_item: WorkItemTable
  snapshot: SnapshotTable
  mirror: TrackerLinkTable
  gone_item: GoneItemTable
  unfinished_import: UnfinishedImportTable
  iteration: IterationTable
  file_import: FileImportTable
  saved_filter: SavedFilterTable
  working_filter: WorkingFilterTable
  workspace_version: { id: number; value: number }
}

/** What the tracker had when it was last asked; times are ISO 8601. */
export interface WorkItemTable {
  id: number
  rev: number
  type: string
  /** Backlog level: 0 task, 1 story, 2 feature, 3 epic…; null when on no backlog */
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
  /** JSON: {id, title, stateCategory}[], as they were when this item was fetched */
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
  /** The file that it was read from; null where the tracker gave it. */
  file_import_id: number | null
}

/** Every state of an item that was ever seen. Never changed, never removed. */
export interface SnapshotTable {
  id: Generated<number>
  item_id: number
  rev: number
  relations_fingerprint: string
  /** JSON: the fields as the tracker gave them */
  fields: string
  recorded_at: string
  /** As of the item. */
  file_import_id: number | null
}

/** One row, once the first item is kept. */
export interface TrackerLinkTable {
  id: number
  /** What tells the tracker and the project from others. */
  tracker: string
  /** Up to where all that is kept of the project is known to be as the tracker has it; opaque. */
  position: string | null
  /** When that was found, ISO 8601. */
  synced_at: string | null
}

/** Kept items that the tracker did not have, or did not show, when it was last asked for them. */
export interface GoneItemTable {
  item_id: number
  since: string
}

/** Imports that were begun and not ended: what was fetched since need not be fetched again. */
export interface UnfinishedImportTable {
  root_id: number
  started_at: string
}

export interface FileImportTable {
  id: Generated<number>
  /** As it was named. */
  name: string
  /** What the file shows is no later than this, ISO 8601; null where nothing tells. */
  as_of: string | null
  imported_at: string
  /** Host and organization of the tracker that it tells of; null where it does not say. */
  tracker: string | null
}

interface CriteriaColumns {
  state: string | null
  assigned_to: string | null
  search: string | null
}

export interface SavedFilterTable extends CriteriaColumns {
  id: Generated<number>
  name: string
  created_at: string
}

/** One row, or none. */
export interface WorkingFilterTable extends CriteriaColumns {
  id: number
  updated_at: string
}

/** The tracker's iterations, so that reports know which have ended. */
export interface IterationTable {
  path: string
  /** The last day, ISO 8601; null where the tracker gives no dates. */
  finish_date: string | null
}

/** Makes the tables of drafts too: items and drafts were one module in the first release, and a released step is never edited. */
export const workspaceMigration: Migration = {
  name: '0001-workspace',
  async up(db) {
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
      .addColumn('description', 'text')
      .addColumn('description_format', 'text')
      .addColumn('acceptance_criteria', 'text')
      .addColumn('acceptance_format', 'text')
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('changed_at', 'text', (c) => c.notNull())
      .addColumn('relations_fingerprint', 'text', (c) => c.notNull())
      .addColumn('remote_rev', 'integer', (c) => c.notNull())
      .addColumn('fetched_at', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('work_item_parent').on('work_item').column('parent_id').execute()
    await db.schema
      .createTable('snapshot')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('item_id', 'integer', (c) => c.notNull())
      .addColumn('rev', 'integer', (c) => c.notNull())
      .addColumn('relations_fingerprint', 'text', (c) => c.notNull())
      .addColumn('fields', 'text', (c) => c.notNull())
      .addColumn('recorded_at', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('snapshot_item').on('snapshot').columns(['item_id', 'id']).execute()
    await db.schema
      .createTable('folder')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('parent_id', 'integer', (c) => c.references('folder.id'))
      .execute()
    await db.insertInto('folder').values({ id: 1, name: 'Drafts', parent_id: null }).execute()
    await db.schema
      .createTable('draft')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('description', 'text')
      .addColumn('acceptance_criteria', 'text')
      .addColumn('story_points', 'double precision')
      .addColumn('assigned_to', 'text')
      .addColumn('area_path', 'text')
      .addColumn('iteration_path', 'text')
      .addColumn('tags', 'text')
      .addColumn('folder_id', 'integer', (c) => c.notNull().references('folder.id'))
      .addColumn('source_item_id', 'integer')
      .addColumn('source_rev', 'integer')
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('draft_folder').on('draft').column('folder_id').execute()
    await db.schema
      .createTable('workspace_version')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('value', 'integer', (c) => c.notNull())
      .execute()
    await db.insertInto('workspace_version').values({ id: 1, value: 0 }).execute()
  },
}

export const mirrorMigration: Migration = {
  name: '0005-mirror',
  async up(db) {
    await db.schema
      .createTable('mirror')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('tracker', 'text', (c) => c.notNull())
      .addColumn('position', 'text')
      .addColumn('synced_at', 'text')
      .execute()
    await db.schema
      .createTable('gone_item')
      .addColumn('item_id', 'integer', (c) => c.primaryKey())
      .addColumn('since', 'text', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('unfinished_import')
      .addColumn('root_id', 'integer', (c) => c.primaryKey())
      .addColumn('started_at', 'text', (c) => c.notNull())
      .execute()
  },
}

export const fileImportsMigration: Migration = {
  name: '0011-file-imports',
  async up(db) {
    await db.schema
      .createTable('file_import')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('as_of', 'text')
      .addColumn('imported_at', 'text', (c) => c.notNull())
      .addColumn('tracker', 'text')
      .execute()
    await db.schema.alterTable('work_item').addColumn('file_import_id', 'integer').execute()
    await db.schema.alterTable('snapshot').addColumn('file_import_id', 'integer').execute()
  },
}

export const iterationsMigration: Migration = {
  name: '0014-iterations',
  async up(db) {
    await db.schema
      .createTable('iteration')
      .addColumn('path', 'text', (c) => c.primaryKey())
      .addColumn('finish_date', 'text')
      .execute()
  },
}
