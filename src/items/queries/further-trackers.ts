import { chunksOf } from '../../kernel/work/chunks'
import type { ReadTx, WriteTx } from '../../storage'
import { renameReference } from '../rules/item-reference'
import { FIRST_LOCAL_NUMBER } from './item-numbers'
import { DEFAULT_TRACKER_ID, itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'
import { findSearchableItems, incrementWorkspaceVersion, recordChangedSearchables } from './searchables'

/** The row of a tracker other than the default one; null if the workspace has no items of it. */
export async function findFurtherTracker(tx: ReadTx, identity: string): Promise<number | null> {
  const row = await itemTables(tx)
    .selectFrom('mirror')
    .select('id')
    .where('tracker', '=', identity)
    .where('id', '<>', DEFAULT_TRACKER_ID)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Stores the tracker, or its present name. Returns its number in the workspace. */
export async function ensureFurtherTracker(
  tx: WriteTx,
  { identity, name }: { identity: string; name: string },
): Promise<number> {
  const known = await findFurtherTracker(tx, identity)
  if (known !== null) {
    await renameFurtherTracker(tx, known, name)
    return known
  }
  const { last } = await itemTables(tx)
    .selectFrom('mirror')
    .select((eb) => eb.fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  const id = Math.max(Number(last ?? 0), DEFAULT_TRACKER_ID) + 1
  const row = { id, tracker: identity, name, position: null, synced_at: null }
  await itemTables(tx).insertInto('mirror').values(row).execute()
  return id
}

/** The references of its items begin with the name, so they change with it. */
async function renameFurtherTracker(tx: WriteTx, trackerId: number, name: string): Promise<void> {
  const db = itemTables(tx)
  const row = await db.selectFrom('mirror').select('name').where('id', '=', trackerId).executeTakeFirstOrThrow()
  if (row.name === name) return
  await db.updateTable('mirror').set({ name }).where('id', '=', trackerId).execute()
  const items = await db
    .selectFrom('work_item')
    .innerJoin('item_number', 'item_number.local_number', 'work_item.id')
    .select(['work_item.id', 'work_item.reference'])
    .where('item_number.tracker_id', '=', trackerId)
    .execute()
  for (const { id, reference } of items)
    await db
      .updateTable('work_item')
      .set({ reference: renameReference(reference, name) })
      .where('id', '=', id)
      .execute()
  await recordRenamedItems(
    tx,
    items.map(({ id }) => id),
  )
}

/** Search finds items by their reference and its tracker. */
async function recordRenamedItems(tx: WriteTx, ids: readonly number[]): Promise<void> {
  for (const chunk of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    const renamed = await findSearchableItems(tx, chunk)
    recordChangedSearchables(tx, () => renamed)
  }
  if (ids.length > 0) await incrementWorkspaceVersion(tx)
}

/** The local numbers of items by their IDs in the tracker. Items without a number are not in the result. */
export async function findLocalNumbers(
  tx: ReadTx,
  trackerId: number,
  remoteIds: readonly number[],
): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  for (const chunk of chunksOf(remoteIds, MAX_IDS_PER_STATEMENT)) {
    const rows = await itemTables(tx)
      .selectFrom('item_number')
      .select(['local_number', 'remote_id'])
      .where('tracker_id', '=', trackerId)
      .where('remote_id', 'in', chunk.map(String))
      .execute()
    for (const row of rows) found.set(Number(row.remote_id), row.local_number)
  }
  return found
}

/** The IDs in the tracker by local numbers. Numbers of other trackers are not in the result. */
export async function findRemoteIds(
  tx: ReadTx,
  trackerId: number,
  localNumbers: readonly number[],
): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  for (const chunk of chunksOf(localNumbers, MAX_IDS_PER_STATEMENT)) {
    const rows = await itemTables(tx)
      .selectFrom('item_number')
      .select(['local_number', 'remote_id'])
      .where('tracker_id', '=', trackerId)
      .where('local_number', 'in', chunk)
      .execute()
    for (const row of rows) found.set(row.local_number, Number(row.remote_id))
  }
  return found
}

/** Gives a number to each item that has none. Returns the numbers of all. Two processes at once get the same ones, because transactions are serializable. */
export async function allocateLocalNumbers(
  tx: WriteTx,
  trackerId: number,
  remoteIds: readonly number[],
): Promise<Map<number, number>> {
  const numbers = await findLocalNumbers(tx, trackerId, remoteIds)
  const added = [...new Set(remoteIds)].filter((id) => !numbers.has(id))
  if (added.length === 0) return numbers
  const { last } = await itemTables(tx)
    .selectFrom('item_number')
    .select((eb) => eb.fn.max('local_number').as('last'))
    .executeTakeFirstOrThrow()
  const first = last === null ? FIRST_LOCAL_NUMBER : Number(last) + 1
  const rows = added.map((id, index) => ({
    local_number: first + index,
    tracker_id: trackerId,
    remote_id: String(id),
  }))
  for (const chunk of chunksOf(rows, MAX_IDS_PER_STATEMENT))
    await itemTables(tx).insertInto('item_number').values(chunk).execute()
  for (const row of rows) numbers.set(Number(row.remote_id), row.local_number)
  return numbers
}
