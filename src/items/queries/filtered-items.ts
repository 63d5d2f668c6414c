import { sql } from 'kysely'
import { splitBySize } from '../../kernel/work/chunks'
import type { ReadTx } from '../../storage'
import type { Person } from '../../tracker'
import { isOneOf, itemTables } from './item-tables'

/** A column that lists filter by. */
export type FilteredColumn =
  | 'id'
  | 'state'
  | 'state_category'
  | 'type'
  | 'area_path'
  | 'iteration_path'
  | 'assigned_name'
  | 'assigned_account'
  | 'tags'
  | 'parent_id'

/** An item meets it if one of the columns has one of its values. */
export type ItemCondition = Partial<Record<FilteredColumn, readonly (string | number)[]>>

/** The IDs of the cached items that meet all conditions, in ascending order. */
export async function findItemIds(tx: ReadTx, conditions: readonly ItemCondition[]): Promise<number[]> {
  const rows = await itemTables(tx)
    .selectFrom('work_item')
    .select('id')
    .where(({ and, or }) =>
      and(
        conditions.map((condition) =>
          or(Object.entries(condition).map(([column, values]) => isOneOf(tx, `work_item.${column}`, values))),
        ),
      ),
    )
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The length of both texts of a work item or a draft, whose tables name them alike. */
export const TEXT_BYTES = sql<number>`coalesce(octet_length(description), 0) + coalesce(octet_length(acceptance_criteria), 0)`

/** The length of the texts of all cached items, in bytes. */
export async function measureItemTexts(tx: ReadTx): Promise<number> {
  const row = await itemTables(tx)
    .selectFrom('work_item')
    .select(({ fn }) => fn.sum(TEXT_BYTES).as('bytes'))
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

/** The items with these IDs, in parts whose texts have at most so many bytes together. One item may have more. */
export async function splitItems(tx: ReadTx, ids: readonly number[], maxBytes: number): Promise<number[][]> {
  const rows = await itemTables(tx)
    .selectFrom('work_item')
    .select(['id', TEXT_BYTES.as('bytes')])
    .execute()
  const bytesOf = new Map(rows.map(({ id, bytes }) => [id, bytes]))
  return splitBySize(ids, (id) => bytesOf.get(id) ?? 0, maxBytes)
}

export async function listKnownValues(tx: ReadTx, column: 'state' | 'area_path' | 'iteration_path'): Promise<string[]> {
  const rows = await itemTables(tx).selectFrom('work_item').select(`${column} as value`).distinct().execute()
  return rows.map(({ value }) => value)
}

export function listKnownTypes(tx: ReadTx): Promise<{ type: string; level: number | null }[]> {
  return itemTables(tx).selectFrom('work_item').select(['type', 'level']).distinct().execute()
}

export async function listKnownPeople(tx: ReadTx): Promise<Person[]> {
  const rows = await itemTables(tx)
    .selectFrom('work_item')
    .select(['assigned_name', 'assigned_account'])
    .where('assigned_name', 'is not', null)
    .distinct()
    .execute()
  return rows.map((row) => ({ displayName: row.assigned_name!, uniqueName: row.assigned_account }))
}

/** The combinations of tags that items have, as they are stored and parsed. */
export async function listKnownTags(tx: ReadTx): Promise<{ stored: string; tags: string[] }[]> {
  const rows = await itemTables(tx).selectFrom('work_item').select('tags').distinct().execute()
  return rows.map(({ tags }) => ({ stored: tags, tags: JSON.parse(tags) as string[] }))
}

export async function hasCachedItems(tx: ReadTx): Promise<boolean> {
  return (await itemTables(tx).selectFrom('work_item').select('id').limit(1).executeTakeFirst()) !== undefined
}
