import type { Generated } from 'kysely'
import type { Migration } from '../storage'

export interface DraftTables {
  folder: FolderTable
  draft: DraftTable
  draft_version: DraftVersionTable
  draft_publication: DraftPublicationTable
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
  /** The version that an undo restored; null if the draft was saved. */
  restored: Generated<number | null>
}

/** The former versions of drafts. The current version is in `draft`. */
export interface DraftVersionTable {
  draft_id: number
  version: number
  /** JSON: the fields of `DraftContent` */
  content: string
  saved_at: string
  /** The version that an undo had restored; null if the draft was saved. */
  restored: number | null
}

/** The items that a draft was published to. */
export interface DraftPublicationTable {
  id: Generated<number>
  draft_id: number
  item_id: number | null
  started_at: string
  /** The revision of the item after the last publication. */
  rev: number | null
  published_at: string | null
  /** JSON: the fields of `DraftContent` when it was published */
  content: string | null
  /** JSON: values of fields by reference name that the draft is based on, where the item had others already. */
  seen_fields: string | null
}

/** `workspaceMigration` of items creates the tables of folders and drafts. */
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

export const publicationsMigration: Migration = {
  name: '0016-draft-publications',
  async up(db) {
    await db.schema
      .createTable('draft_publication')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('draft_id', 'integer', (c) => c.notNull().references('draft.id'))
      .addColumn('item_id', 'integer')
      .addColumn('marker', 'text')
      .addColumn('type', 'text')
      .addColumn('started_at', 'text', (c) => c.notNull())
      .addColumn('claimed_until', 'text')
      .addColumn('rev', 'integer')
      .addColumn('published_at', 'text')
      .addColumn('content', 'text')
      .addColumn('seen_fields', 'text')
      .addUniqueConstraint('draft_publication_target', ['draft_id', 'item_id'])
      .execute()
  },
}
