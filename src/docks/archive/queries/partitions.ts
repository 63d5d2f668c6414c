import { type Kysely, type RawBuilder, sql } from 'kysely'
import { StudioError } from '../../../kernel'
import { type ReadTx, tables, type WriteTx } from '../../../storage'
import { takesPlace } from '../../booking/queries/constraints'
import { requirePartitionable } from './partition-obstacles'
import { readTableAccess, restoreTableAccess } from './table-access'

/** The definitions of what belongs to the table, as the server prints them. */
interface TableParts {
  indexes: string[]
  references: { name: string; definition: string }[]
  triggers: string[]
  hasDoorConstraint: boolean
}

const LOCK_TIMEOUT = '10s'
const own = sql`'appointment'::regclass`

/** The number of partitions of the table of appointments; 0 if it has none. */
export async function countPartitions(tx: ReadTx): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from pg_inherits where inhparent = ${own}`.execute(tables<any>(tx))
  return rows[0]!.count
}

/**
 * Replaces the table of appointments by one that is partitioned by facility, with the same rows, indexes, constraints, triggers, owner and grants.
 * References from other tables to it are dropped: they would need the facility. Returns the number of rows. Throws `conflict` if something
 * else belongs to the table that would be lost.
 */
export async function partitionAppointments(
  tx: WriteTx,
  { count, onPartition }: { count: number; onPartition(done: number): void },
): Promise<number> {
  const db = tables<any>(tx)
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(db)
  // In the order in which bookings use them, because another order could end in a deadlock.
  await sql`lock table facility, door in exclusive mode`.execute(db)
  await sql`lock table appointment, appointment_reference, imported_row, appointment_change, appointment_attachment, series_occurrence in access exclusive mode`.execute(
    db,
  )
  await requirePartitionable(tx)
  const parts = await readParts(db)
  const access = await readTableAccess(db, 'appointment')
  await sql`
    create table appointment_new (like appointment including defaults including constraints)
    partition by hash (facility_id)`.execute(db)
  for (let i = 0; i < count; i++)
    await sql`
      create table ${partition(count, i)} partition of appointment_new
      for values with (modulus ${sql.lit(count)}, remainder ${sql.lit(i)})`.execute(db)
  await sql`insert into appointment_new select * from appointment`.execute(db)
  await dropOldTable(db)
  await sql`alter table appointment_new rename to appointment`.execute(db)
  await sql`alter table appointment add constraint appointment_key primary key (id, facility_id)`.execute(db)
  for (const definition of parts.indexes) await sql.raw(definition).execute(db)
  for (const { name, definition } of parts.references)
    await sql`alter table appointment add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(db)
  for (const definition of parts.triggers) await sql.raw(definition).execute(db)
  for (let i = 0; i < count; i++) {
    if (parts.hasDoorConstraint) await addDoorConstraint(db, { count, i })
    await sql`analyze ${partition(count, i)}`.execute(db)
    onPartition(i + 1)
  }
  const partitions = Array.from({ length: count }, (_, i) => partitionName(count, i))
  await restoreTableAccess(db, { table: 'appointment', partitions }, access)
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from appointment`.execute(db)
  return rows[0]!.rows
}

/** The name contains the number of partitions, so that a table with another number can exist beside it. */
const partitionName = (count: number, i: number) => `appointment_${count}_${i}`
const partition = (count: number, i: number) => sql.table(partitionName(count, i))

/** A constraint of the whole table needs PostgreSQL 17. All appointments of a door are in one partition, so its own is enough. */
async function addDoorConstraint(db: Kysely<any>, { count, i }: { count: number; i: number }): Promise<void> {
  await sql`
    alter table ${partition(count, i)} add constraint ${sql.id(`appointment_door_free_${count}_${i}`)}
    exclude using gist (door_id with =, int8range(start_at, end_at) with &&) where (${takesPlace(partitionName(count, i))})`.execute(
    db,
  )
}

async function readParts(db: Kysely<any>): Promise<TableParts> {
  const list = async <Row>(query: RawBuilder<Row>) => (await query.execute(db)).rows
  const indexes = await list(sql<{ definition: string }>`
    select replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition from pg_index
    where indrelid = ${own} and not indisprimary and not indisexclusion order by indexrelid`)
  const references = await list(sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${own} and contype = 'f' order by conname`)
  const triggers = await list(sql<{ definition: string }>`
    select pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid = ${own} and not tgisinternal order by tgname`)
  const exclusions = await list(sql`
    select 1 from pg_constraint where contype = 'x' and conname like 'appointment\\_door\\_free%'
      and connamespace = current_schema()::regnamespace`)
  return {
    indexes: indexes.map(({ definition }) => definition),
    references,
    triggers: triggers.map(({ definition }) => definition),
    hasDoorConstraint: exclusions.length > 0,
  }
}

async function dropOldTable(db: Kysely<any>): Promise<void> {
  const { rows } = await sql<{ table: string; name: string }>`
    select conrelid::regclass::text as "table", conname as name from pg_constraint
    where confrelid = ${own} and contype = 'f' and conparentid = 0`.execute(db)
  for (const { table, name } of rows)
    await sql`alter table ${sql.raw(table)} drop constraint ${sql.id(name)}`.execute(db)
  try {
    await sql`drop table appointment`.execute(db)
  } catch (error) {
    if ((error as { code?: string }).code !== DEPENDENT_OBJECTS) throw error
    throw new StudioError(
      'conflict',
      `Objects that studio did not create depend on the appointments: ${(error as { detail?: string }).detail}.`,
      {
        hint: 'Drop these objects, run the command again, then recreate them.',
        cause: error,
      },
    )
  }
}

const DEPENDENT_OBJECTS = '2BP01'
