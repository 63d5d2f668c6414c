import type { Generated } from 'kysely'
import type { Migration } from '../storage'

/** What people keep beside their drafts: how these were, and which items they look at. */
export interface DraftTables {
  draft_version: DraftVersionTable
  saved_filter: SavedFilterTable
  working_filter: WorkingFilterTable
}

/** How a draft was before a change. The draft itself holds its latest version. */
export interface DraftVersionTable {
  draft_id: number
  version: number
  /** JSON: the fields of `DraftContent` */
  content: string
  saved_at: string
  /** The version that an undo had put back here; null where somebody saved. */
  restored: number | null
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

export const draftsMigration: Migration = {
  name: '0007-draft-versions-and-filters',
  async up(db) {
    await db.schema
      .alterTable('draft')
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
    await db.schema.alterTable('draft').addColumn('restored', 'integer').execute()
    await db.schema
      .createTable('draft_version')
      .addColumn('draft_id', 'integer', (c) => c.notNull().references('draft.id'))
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('saved_at', 'text', (c) => c.notNull())
      .addColumn('restored', 'integer')
      .addPrimaryKeyConstraint('draft_version_pk', ['draft_id', 'version'])
      .execute()
    await db.schema
      .createTable('saved_filter')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('name', 'text', (c) => c.notNull().unique())
      .addColumn('state', 'text')
      .addColumn('assigned_to', 'text')
      .addColumn('search', 'text')
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('working_filter')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('state', 'text')
      .addColumn('assigned_to', 'text')
      .addColumn('search', 'text')
      .addColumn('updated_at', 'text', (c) => c.notNull())
      .execute()
  },
}
