import { sql } from 'kysely'
import { SEARCHABLE_TABLES } from '../../items'
import { forUpdate, type ReadTx, tables, type WriteTx } from '../../storage'
import { encodeEntityKey, TYPE_COUNT, TYPES } from '../services/entity'
import type { EntityType } from '../services/search-index'
import { indexTables } from './entries'

/** Whether a program has changed searchables without updating the index. */
export async function hasStaleNotes(tx: ReadTx): Promise<boolean> {
  const row = await indexTables(tx).selectFrom('search_stale').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

export async function countStaleNotes(tx: ReadTx): Promise<number> {
  const { rows } = await indexTables(tx)
    .selectFrom('search_stale')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return rows
}

/** Locks the oldest notes until the transaction ends. */
export async function lockStaleNotes(
  tx: WriteTx,
  limit: number,
): Promise<{ id: number; key: number; initial: number }[]> {
  const oldest = indexTables(tx).selectFrom('search_stale').select(['id', 'key', 'initial']).orderBy('id').limit(limit)
  return forUpdate(tx, oldest).execute()
}

export async function removeStaleNotes(tx: WriteTx, ids: readonly number[]): Promise<void> {
  await sql`delete from search_stale where id = any(${ids}::bigint[])`.execute(indexTables(tx))
}

/** The ID of the last note; 0 if there is none. */
export async function findLastStaleNote(tx: ReadTx): Promise<number> {
  const row = await indexTables(tx)
    .selectFrom('search_stale')
    .select(({ fn }) => fn.max<number | null>('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

export async function removeStaleNotesUpTo(tx: WriteTx, id: number): Promise<void> {
  await indexTables(tx).deleteFrom('search_stale').where('id', '<=', id).execute()
}

/** Locks the rows of these entities against changes until the transaction ends. */
export async function lockRows(tx: WriteTx, type: EntityType, ids: readonly number[]): Promise<void> {
  await sql`select id from ${sql.table(SEARCHABLE_TABLES[type])} where id = any(${ids}::bigint[]) order by id for share`.execute(
    tables(tx),
  )
}

/** The next IDs of a type, in order. */
export async function listIdsAfter(tx: ReadTx, type: EntityType, id: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(SEARCHABLE_TABLES[type])} where id > ${id} order by id limit ${limit}`.execute(
    tables(tx),
  )
  return rows.map((row) => row.id)
}

export async function countRows(tx: ReadTx, type: EntityType): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(SEARCHABLE_TABLES[type])}`.execute(tables(tx))
  return rows[0]!.rows
}

/** Every `step`th ID. */
export async function sampleIds(tx: ReadTx, type: EntityType, step: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (select id, row_number() over (order by id) as place from ${sql.table(SEARCHABLE_TABLES[type])}) as placed
    where place % ${step} = 0`.execute(tables(tx))
  return rows.map((row) => row.id)
}

/** Removes entries of entities that no longer exist. */
export async function removeOrphans(tx: WriteTx): Promise<void> {
  for (const type of TYPES) {
    await sql`
      delete from search_terms where key % ${sql.lit(TYPE_COUNT)} = ${sql.lit(encodeEntityKey({ type, id: 0 }))}
        and not exists (select from ${sql.table(SEARCHABLE_TABLES[type])} as searchable where searchable.id = key / ${sql.lit(TYPE_COUNT)})`.execute(
      indexTables(tx),
    )
  }
}

/** @returns `bytes`: the size on the server's disk. */
export async function measureIndex(tx: ReadTx) {
  const { rows: counts } = await sql<{ place: number; entities: number; newest: string | null }>`
    select key % ${sql.lit(TYPE_COUNT)} as place, count(*) as entities, max(indexed_at) as newest
    from search_terms where part = 0 group by 1`.execute(indexTables(tx))
  const { rows } = await sql<{ terms: number; bytes: number }>`
    select (select count(distinct term) from search_form) as terms,
      pg_total_relation_size('search_terms') + pg_total_relation_size('search_form') as bytes`.execute(indexTables(tx))
  return { counts, ...rows[0]! }
}
