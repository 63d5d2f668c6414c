import type { Generated } from 'kysely'
import type { DraftTables } from '../drafts/migrations'
import { DEFAULT_FOLDER_ID } from '../drafts/rules/draft-content'
import type { Migration } from '../storage'
import type { FileImportTables } from './file-import-table'
import type { MirrorTables } from './mirror-tables'
import type { IterationTables } from './services/iteration-table'

export interface WorkspaceTables extends MirrorTables, IterationTables, DraftTables, FileImportTables {
  work_item: WorkItemTable
  snapshot: SnapshotTable
  folder: FolderTable
  draft: DraftTable
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

export interface FolderTable {
  id: Generated<number>
  name: string
  parent_id: number | null
}

export interface DraftTable {
  id: Generated<number>
  title: string
  description: string | null
  acceptance_criteria: string | null
  story_points: number | null
  assigned_to: string | null
  area_path: string | null
  iteration_path: string | null
  tags: string | null
  folder_id: number
  source_item_id: number | null
  source_rev: number | null
  created_at: string
  updated_at: string
  /** Counts the changes, from 1. */
  version: Generated<number>
  /** The version that an undo put back; null where somebody saved. */
  restored: Generated<number | null>
}

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
    await db.insertInto('folder').values({ id: DEFAULT_FOLDER_ID, name: 'Drafts', parent_id: null }).execute()
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
