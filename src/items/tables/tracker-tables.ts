import type { Generated, Kysely } from 'kysely'

/** One row for each tracker with items. Row 1 is the default tracker, from its first cached item on. */
export interface TrackerLinkTable {
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

export async function createMirrorTable(db: Kysely<any>): Promise<void> {
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
export interface ItemNumberTable {
  local_number: number
  /** The row in `mirror`. */
  tracker_id: number
  /** The ID in the tracker. It is a text, because it can be larger than an integer column of PostgreSQL. */
  remote_id: string
}

export async function createItemNumberTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('item_number')
    .addColumn('local_number', 'integer', (c) => c.primaryKey())
    .addColumn('tracker_id', 'integer', (c) => c.notNull())
    .addColumn('remote_id', 'text', (c) => c.notNull())
    .addUniqueConstraint('item_number_remote', ['tracker_id', 'remote_id'])
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

export async function createTrackerIterationTable(db: Kysely<any>): Promise<void> {
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

export async function createTrackerFieldTable(db: Kysely<any>): Promise<void> {
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

/** A tracker that reports changes. */
export interface TrackerHookTable {
  /** The name in the settings, or `default`. */
  tracker: string
  /** What it proves itself with, which a signature needs as it is. */
  secret: string
  /** ISO 8601; when the last event arrived. */
  received_at: string | null
}

/** An item of which a tracker has reported a change, and which has not been read since. */
export interface ReportedItemTable {
  /** The name in the settings, or `default`. */
  tracker: string
  /** Its key in the tracker. */
  key: string
  /** How often it was reported: an item that is reported again while it is read is read again. */
  reports: number
  /** ISO 8601; when it was first reported. */
  reported_at: string
}

export async function createHookTables(db: Kysely<any>): Promise<void> {
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
