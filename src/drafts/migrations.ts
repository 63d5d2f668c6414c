import type { Generated, Kysely } from 'kysely'
import type { Engine, Migration } from '../storage'

export interface DraftTables {
  folder: FolderTable
  draft: DraftTable
  draft_version: DraftVersionTable
  draft_publication: DraftPublicationTable
  draft_file: DraftFileTable
  draft_file_part: DraftFilePartTable
  tree_node: TreeNodeTable
}

export const draftsMigration: Migration = {
  name: '0002-drafts',
  async up(db, engine) {
    await createFolderTable(db)
    await createDraftTable(db)
    await createDraftVersionTable(db)
    await createDraftPublicationTable(db)
    await createDraftFileTables(db, engine)
    await createTreeNodeTable(db)
  },
}

/** The folders of drafts. Folder 1 always exists. */
export interface FolderTable {
  id: Generated<number>
  name: string
  parent_id: number | null
}

async function createFolderTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('folder')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('parent_id', 'integer', (c) => c.references('folder.id'))
    .execute()
  await db.insertInto('folder').values({ id: 1, name: 'Drafts', parent_id: null }).execute()
}

/** The current version of each draft. Times are ISO 8601. */
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
  /** JSON: values of further fields of the tracker by name; null for none */
  fields: string | null
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

async function createDraftTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('draft')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('title', 'text', (c) => c.notNull())
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
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('restored', 'integer')
    .addColumn('fields', 'text')
    // Last, because a database reads a column after a long text as slowly as the text.
    .addColumn('description', 'text')
    .addColumn('acceptance_criteria', 'text')
    .execute()
  await db.schema.createIndex('draft_folder').on('draft').column('folder_id').execute()
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

async function createDraftVersionTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('draft_version')
    .addColumn('draft_id', 'integer', (c) => c.notNull().references('draft.id'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('saved_at', 'text', (c) => c.notNull())
    .addColumn('restored', 'integer')
    .addPrimaryKeyConstraint('draft_version_pk', ['draft_id', 'version'])
    .execute()
}

/** The items that a draft was published to. */
export interface DraftPublicationTable {
  id: Generated<number>
  draft_id: number
  item_id: number
  started_at: string
  /** The revision of the item after the last publication. */
  rev: number
  published_at: string
  /** JSON: the fields of `DraftContent` when it was published */
  content: string
  /** JSON: values of fields by reference name that the draft is based on, where the item had others already. */
  seen_fields: string
}

async function createDraftPublicationTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('draft_publication')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('draft_id', 'integer', (c) => c.notNull().references('draft.id'))
    .addColumn('item_id', 'integer')
    .addColumn('started_at', 'text', (c) => c.notNull())
    .addColumn('rev', 'integer')
    .addColumn('published_at', 'text')
    .addColumn('content', 'text')
    .addColumn('seen_fields', 'text')
    .addUniqueConstraint('draft_publication_target', ['draft_id', 'item_id'])
    .execute()
}

/** A file that the texts of a draft show as an image. It is never changed. */
interface DraftFileTable {
  id: Generated<number>
  draft_id: number
  /** As the texts name it, without `./`: `shots/gate.png`. */
  path: string
  /** What its first bytes or its name say. */
  media_type: string
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

/** A piece of the content of a file. */
interface DraftFilePartTable {
  draft_file_id: number
  /** From 0 on. */
  part: number
  content: Uint8Array
}

async function createDraftFileTables(db: Kysely<any>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('draft_file')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('draft_id', 'integer', (c) => c.notNull().references('draft.id'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('media_type', 'text', (c) => c.notNull())
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addUniqueConstraint('draft_file_path', ['draft_id', 'path'])
    .execute()
  await db.schema
    .createTable('draft_file_part')
    .addColumn('draft_file_id', 'integer', (c) => c.notNull().references('draft_file.id'))
    .addColumn('part', 'integer', (c) => c.notNull())
    .addColumn('content', engine === 'postgres' ? 'bytea' : 'blob', (c) => c.notNull())
    .addPrimaryKeyConstraint('draft_file_part_key', ['draft_file_id', 'part'])
    .execute()
}

/** The items of files that were published as trees, each with the draft that it became. */
export interface TreeNodeTable {
  /** The tracker and the file. */
  tree: string
  /** A digest of the titles from the root to the item. */
  node: string
  title: string
  draft_id: number
  /** The work item; null until it is known. */
  item_id: number | null
}

async function createTreeNodeTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('tree_node')
    .addColumn('tree', 'text', (c) => c.notNull())
    .addColumn('node', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('draft_id', 'integer', (c) => c.notNull())
    .addColumn('item_id', 'integer')
    .addPrimaryKeyConstraint('tree_node_pk', ['tree', 'node'])
    .execute()
}
