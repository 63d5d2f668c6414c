import { type Kysely, sql } from 'kysely'
import { type Context, StudioError } from '../../kernel'
import { pluralize } from '../../kernel/text/text'
import type { CopyTarget } from '../services/database'
import { type Database, getEngine, type ReadTx, tables, type WriteTx } from '../services/database'
import {
  computeDigest,
  type Digest,
  type Row,
  RowsDigest,
  readPages,
  readTableShapes,
  type TableShape,
} from './table-rows'

export interface CopiedTable extends Digest {
  name: string
}

export interface CopyRequest {
  source: Database
  target: CopyTarget
  /** A database that contains only the rows of the migrations, as the target must. */
  blank: Database
}

/**
 * Copies all rows from one state of the source in one transaction of the target, and commits after comparing what the target stored.
 * Throws `conflict` and changes nothing if the target is not empty.
 */
export async function copyDatabase(
  ctx: Pick<Context, 'signal' | 'progress'>,
  { source, target, blank }: CopyRequest,
): Promise<CopiedTable[]> {
  const shapes = await blank.read(readTableShapes)
  const requireEmptyTables = (tx: ReadTx) => blank.read((empty) => requireEmpty(tx, empty, shapes))
  await target.existing?.read(requireEmptyTables)
  const copied = await source.read((from) =>
    target.db.write(async (to) => {
      await requireEmptyTables(to)
      return runWithoutTriggers(to, async () => {
        for (const { name } of shapes.toReversed()) await tables<any>(to).deleteFrom(name).execute()
        const copied: CopiedTable[] = []
        for (const shape of shapes) copied.push({ name: shape.name, ...(await copyTable(ctx, shape, { from, to })) })
        return copied
      })
    }),
  )
  await target.commit()
  return copied
}

async function requireEmpty(tx: ReadTx, empty: ReadTx, shapes: readonly TableShape[]): Promise<void> {
  for (const shape of shapes) {
    const expected = await computeDigest(empty, shape)
    const existing = await countRows(tx, shape)
    if (existing === expected.rows && (await computeDigest(tx, shape)).checksum === expected.checksum) continue
    throw new StudioError(
      'conflict',
      `The target is not empty: its table ${shape.name} has ${pluralize(existing, 'row')}.`,
      {
        hint: 'Specify a new or empty database.',
      },
    )
  }
}

async function copyTable(
  ctx: Pick<Context, 'signal' | 'progress'>,
  shape: TableShape,
  { from, to }: { from: ReadTx; to: WriteTx },
): Promise<Digest> {
  const total = await countRows(from, shape)
  const read = new RowsDigest(shape)
  for await (const page of readPages(from, shape)) {
    ctx.signal.throwIfAborted()
    await insertRows(to, shape, page)
    for (const row of page) read.add(row)
    ctx.progress({ label: `copying ${shape.name}`, done: read.result.rows, total })
  }
  await restoreOwnReferences(shape, { from, to })
  if (shape.hasAutoIncrement) await setNextId(to, shape.name, await readNextId(from, shape.name))
  const [sourceDigest, targetDigest] = [read.result, await computeDigest(to, shape)]
  if (sourceDigest.rows === targetDigest.rows && sourceDigest.checksum === targetDigest.checksum) return targetDigest
  throw new StudioError('internal', `The copy of the table ${shape.name} differs from the source; nothing was saved.`, {
    hint: 'The source is unchanged. Keep using it.',
  })
}

/** Leaves references to rows of the same table empty, because those may come later. */
async function insertRows(to: WriteTx, { name, selfReferences }: TableShape, rows: readonly Row[]): Promise<void> {
  const withoutThem = Object.fromEntries(selfReferences.map((column) => [column, null]))
  await tables<any>(to)
    .insertInto(name)
    .values(rows.map((row) => ({ ...row, ...withoutThem })))
    .execute()
}

async function restoreOwnReferences(shape: TableShape, { from, to }: { from: ReadTx; to: WriteTx }): Promise<void> {
  if (shape.selfReferences.length === 0) return
  for await (const page of readPages(from, shape)) {
    for (const row of page) {
      let update = tables<any>(to)
        .updateTable(shape.name)
        .set(Object.fromEntries(shape.selfReferences.map((column) => [column, row[column]])))
      for (const column of shape.key) update = update.where(column, '=', row[column])
      await update.execute()
    }
  }
}

async function countRows(tx: ReadTx, { name }: TableShape): Promise<number> {
  const { rows } = await tables<any>(tx)
    .selectFrom(name)
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(rows)
}

/** The next id of a table with automatic ids. Ids of deleted rows are never assigned again. */
async function readNextId(tx: ReadTx, table: string): Promise<number> {
  const sourceDigest =
    getEngine(tx) === 'postgres'
      ? sql<{
          last: number | null
        }>`select pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) as last`
      : sql<{ last: number | null }>`select seq as last from sqlite_sequence where name = ${table}`
  const { rows } = await sourceDigest.execute(tables(tx))
  return (rows[0]?.last ?? 0) + 1
}

async function setNextId(tx: WriteTx, table: string, next: number): Promise<void> {
  const db = tables(tx)
  const last = next - 1
  if (getEngine(tx) === 'sqlite') {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(db)
  } else if (last > 0) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(db)
  }
}

/**
 * Runs `work` with triggers disabled. They validate new rows; the copied rows were validated when they were created. Triggers that only
 * record changes, named `note_…`, stay enabled.
 */
async function runWithoutTriggers<R>(tx: WriteTx, work: () => Promise<R>): Promise<R> {
  const db = tables<any>(tx)
  const restoreTriggers = await (getEngine(tx) === 'postgres' ? disableTriggers(db) : dropTriggers(db))
  const done = await work()
  await restoreTriggers()
  return done
}

/** SQLite cannot disable a trigger. */
async function dropTriggers(db: Kysely<any>): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select name, sql as definition from sqlite_master where type = 'trigger' order by rowid`.execute(db)
  for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(db)
  return async () => {
    for (const { definition } of rows) await sql.raw(definition).execute(db)
  }
}

async function disableTriggers(db: Kysely<any>): Promise<() => Promise<void>> {
  const { rows } = await sql<{ table: string; name: string }>`
    select relname as "table", tgname as name from pg_trigger inner join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and tgenabled <> 'D' and not starts_with(tgname, 'note_')
      and relnamespace = current_schema()::regnamespace`.execute(db)
  const set = async (state: 'disable' | 'enable') => {
    for (const { table, name } of rows)
      await sql`alter table ${sql.id(table)} ${sql.raw(state)} trigger ${sql.id(name)}`.execute(db)
  }
  await set('disable')
  return () => set('enable')
}
