import { DEFAULT_TRACKER_NAME, getTrackerName } from '../../kernel/text/item-reference'
import type { ReadTx, WriteTx } from '../../storage'
import type { WorkItemTable } from '../tables/work-item-tables'
import { listGone } from './gone-items'
import { DEFAULT_TRACKER_ID, itemTables } from './item-tables'

/** A tracker that cached items come from. */
export interface StoredTrackerLink {
  /** Its number in the workspace. */
  id: number
  /** Identifies the tracker and its project. */
  tracker: string
  /** The name that the settings gave it last; null for the default tracker. */
  name: string | null
  /** Where the next sync continues in the tracker's feeds of changes; opaque. */
  position: string | null
  syncedAt: string | null
}

/** The default tracker; null until its first item is cached. */
export async function findTrackerLink(tx: ReadTx): Promise<StoredTrackerLink | null> {
  return (await listTrackerLinks(tx)).find(({ id }) => id === DEFAULT_TRACKER_ID) ?? null
}

/** The trackers of the workspace, the default one first. */
export async function listTrackerLinks(tx: ReadTx): Promise<StoredTrackerLink[]> {
  const rows = await itemTables(tx).selectFrom('mirror').selectAll().orderBy('id').execute()
  return rows.map(({ id, tracker, name, position, synced_at }) => ({
    id,
    tracker,
    name,
    position,
    syncedAt: synced_at,
  }))
}

export async function insertTrackerLink(tx: WriteTx, tracker: string): Promise<void> {
  const row = { id: DEFAULT_TRACKER_ID, tracker, name: null, position: null, synced_at: null }
  await itemTables(tx).insertInto('mirror').values(row).execute()
}

export async function saveSyncPosition(
  tx: WriteTx,
  trackerId: number,
  { position, at }: { position: string; at: string },
): Promise<void> {
  await itemTables(tx).updateTable('mirror').set({ position, synced_at: at }).where('id', '=', trackerId).execute()
}

/** How the sync of a tracker has gone. */
export interface SyncState {
  trackerId: number
  /** The name that the settings gave it last; null for the default tracker. */
  name: string | null
  /** When all its items were last compared with the tracker, ISO 8601. */
  checkedAt: string | null
  /** How often the sync of a service has failed since then. */
  failures: number
  failure: { code: string; text: string } | null
  /** When a service synchronizes it next, ISO 8601; null for now. */
  dueAt: string | null
}

/** What a service knows of its syncs without asking the database. */
export interface SyncMemory {
  /** Null until its first look, and in a process that synchronizes nothing. */
  states: readonly SyncState[] | null
}

export async function listSyncStates(tx: ReadTx): Promise<SyncState[]> {
  const rows = await itemTables(tx)
    .selectFrom('mirror')
    .select(['id', 'name', 'checked_at', 'failures', 'failure_code', 'failure_text', 'due_at'])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    trackerId: row.id,
    name: row.name,
    checkedAt: row.checked_at,
    failures: row.failures,
    failure: row.failure_code === null ? null : { code: row.failure_code, text: row.failure_text ?? '' },
    dueAt: row.due_at,
  }))
}

/**
 * When the tracker last confirmed the version of an item: when it was read, or when all items of its tracker were compared later. A sync
 * without changes so writes one row. Asked for all items, or for those with these IDs.
 */
export async function readConfirmations(
  tx: ReadTx,
  ids?: readonly number[],
): Promise<(row: Pick<WorkItemTable, 'id' | 'reference' | 'fetched_at' | 'file_import_id' | 'compared'>) => string> {
  const states = await listSyncStates(tx)
  const checkedAt = new Map(states.map((state) => [state.name ?? DEFAULT_TRACKER_NAME, state.checkedAt ?? '']))
  const gone = new Set(await listGone(tx, ids))
  return (row) => {
    const at = checkedAt.get(getTrackerName(row.reference)) ?? ''
    const isConfirmed = row.compared !== null && row.file_import_id === null && !gone.has(row.id)
    return isConfirmed && at > row.fetched_at ? at : row.fetched_at
  }
}

/** All items of the tracker were compared with it. */
export async function saveSyncSuccess(tx: WriteTx, trackerId: number, at: string): Promise<void> {
  const success = { checked_at: at, failures: 0, failure_code: null, failure_text: null }
  await itemTables(tx).updateTable('mirror').set(success).where('id', '=', trackerId).execute()
}

export async function saveSyncDue(tx: WriteTx, trackerId: number, dueAt: string): Promise<void> {
  await itemTables(tx).updateTable('mirror').set({ due_at: dueAt }).where('id', '=', trackerId).execute()
}

export async function saveSyncFailure(
  tx: WriteTx,
  trackerId: number,
  { failures, code, text, dueAt }: { failures: number; code: string; text: string; dueAt: string },
): Promise<void> {
  const failure = { failures, failure_code: code, failure_text: text, due_at: dueAt }
  await itemTables(tx).updateTable('mirror').set(failure).where('id', '=', trackerId).execute()
}
