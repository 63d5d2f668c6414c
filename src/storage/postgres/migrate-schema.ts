import { type Kysely, sql } from 'kysely'
import {
  applyMigrationsFrom,
  countMigrations,
  createMigrationTable,
  type Migration,
} from '../services/apply-migrations'
import { type ReadTx, tables, type WriteTx } from '../services/database'
import { getSqlState } from './postgres-errors'

/** The number of applied migrations. Fails if there are none, which ends the transaction. */
export function readSchemaVersion(tx: ReadTx): Promise<number> {
  return countMigrations(tables(tx))
}

export function isMissingSchemaError(error: unknown): boolean {
  return getSqlState(error) === '42P01'
}

/**
 * Applies missing migrations. Processes that start concurrently wait for each other: creating the table of migrations locks the others out,
 * and later the row of the first migration is the lock.
 */
export async function migrateSchema(tx: WriteTx, migrations: readonly Migration[]): Promise<void> {
  const db = tables<any>(tx)
  await createMigrationTable(db)
  await db.selectFrom('schema_migration').select('name').where('position', '=', 0).forUpdate().execute()
  const version = await countMigrations(db)
  await applyMigrationsFrom(version, migrations, { db, engine: 'postgres' })
  if (version < migrations.length) await setSequences(db)
}

/** Continues identities after the highest id that a migration inserted, as SQLite does. They never go back. */
async function setSequences(db: Kysely<any>): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`.execute(db)
  for (const { table, column } of rows) {
    const highest = sql`max(${sql.id(column)})`
    const sequence = sql`pg_get_serial_sequence(${table}, ${column})::regclass`
    await sql`
      select setval(${sequence}, ${highest}) from ${sql.table(table)}
      having ${highest} > coalesce(pg_sequence_last_value(${sequence}), 0)`.execute(db)
  }
}
