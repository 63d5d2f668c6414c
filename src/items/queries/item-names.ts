import type { ReadTx } from '../../storage'
import { showReference } from '../rules/item-reference'
import { FIRST_LOCAL_NUMBER } from './item-numbers'
import { idChunks, isOneOf, itemTables } from './item-tables'

/** How an item is shown and typed, by its ID. */
export type NameOf = (id: number) => string

/**
 * The names of items. One that is not cached has the name that a caller has `given`. Without that, one of a further tracker has the ID of
 * its tracker, such as `jira:10007`.
 */
export async function findItemNames(
  tx: ReadTx,
  ids: Iterable<number>,
  given: ReadonlyMap<number, string> = new Map(),
): Promise<NameOf> {
  const all = [...new Set(ids)]
  const references = new Map(all.flatMap((id) => (given.has(id) ? [[id, given.get(id)!]] : [])))
  for await (const chunk of idChunks(tx, all)) {
    const rows = await itemTables(tx)
      .selectFrom('work_item')
      .select(['id', 'reference'])
      .where(isOneOf(tx, 'id', chunk))
      .where('reference', 'is not', null)
      .execute()
    for (const { id, reference } of rows) references.set(id, reference!)
  }
  const unnamed = all.filter((id) => id >= FIRST_LOCAL_NUMBER && !references.has(id))
  for await (const chunk of idChunks(tx, unnamed)) {
    const rows = await itemTables(tx)
      .selectFrom('item_number')
      .innerJoin('mirror', 'mirror.id', 'item_number.tracker_id')
      .select(['item_number.local_number', 'item_number.remote_id', 'mirror.name'])
      .where(isOneOf(tx, 'item_number.local_number', chunk))
      .execute()
    for (const row of rows) if (row.name !== null) references.set(row.local_number, `${row.name}:${row.remote_id}`)
  }
  return (id) => showReference(id, references.get(id) ?? null)
}

/** The cached items that a reference names. Without a tracker, the key of an item of any tracker. */
export async function findIdsByReference(
  tx: ReadTx,
  { prefix, key }: { prefix: string | null; key: string },
): Promise<number[]> {
  const rows = await itemTables(tx)
    .selectFrom('work_item')
    .select(['id', 'reference'])
    .where('reference', 'is not', null)
    .where(({ or, eb }) =>
      or(
        prefix === null
          ? [eb('reference', '=', key), eb('reference', 'like', `%:${escapeLike(key)}`)]
          : [eb('reference', '=', `${prefix}:${key}`)],
      ),
    )
    .execute()
  return rows.filter(({ reference }) => reference!.slice(reference!.indexOf(':') + 1) === key).map(({ id }) => id)
}

/** The names that end with the key are compared again, so a wildcard in it does no harm. */
function escapeLike(key: string): string {
  return key.replace(/[%\\]/g, '_')
}
