import { sql } from 'kysely'
import { getEngine, type ReadTx, tables, type WriteTx } from '../services/database'

/** The id that a table which counts its own gives next: also of rows that are gone, none is ever given again. */
export async function readNextId(tx: ReadTx, table: string): Promise<number> {
  const given =
    getEngine(tx) === 'postgres'
      ? sql<{
          last: number | null
        }>`select pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) as last`
      : sql<{ last: number | null }>`select seq as last from sqlite_sequence where name = ${table}`
  const { rows } = await given.execute(tables(tx))
  return (rows[0]?.last ?? 0) + 1
}

/** In a table that was filled with ids of another's. */
export async function setNextId(tx: WriteTx, table: string, next: number): Promise<void> {
  const db = tables(tx)
  const last = next - 1
  if (getEngine(tx) === 'sqlite') {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(db)
  } else if (last > 0) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(db)
  }
}
