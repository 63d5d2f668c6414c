import { type Context, StudioError } from '../../kernel'
import { type Database, type ReadTx, tables, type WriteTx } from '../database'
import { nextId, setNextId } from './next-id'
import { type Digest, digestOf, pagesOf, type Row, RowsDigest } from './rows'
import { type TableShape, tableShapes } from './table-shapes'
import type { Target } from './target'
import { withoutTriggers } from './without-triggers'

export interface CopiedTable extends Digest {
  name: string
}

export interface Copying {
  source: Database
  target: Target
  /** A database without a row but those of the migrations: what the target must be. */
  blank: Database
}

/**
 * Copies every row from one state of the source, in one transaction of the target, reads them back and compares, and only then
 * has them kept. Throws `conflict` where the target holds something, and changes nothing then.
 */
export async function copyDatabase(
  ctx: Pick<Context, 'signal' | 'progress'>,
  { source, target, blank }: Copying,
): Promise<CopiedTable[]> {
  const shapes = await blank.read(tableShapes)
  const areEmpty = (tx: ReadTx) => blank.read((empty) => requireEmpty(tx, empty, shapes))
  await target.there?.read(areEmpty)
  const copied = await source.read((from) =>
    target.db.write(async (to) => {
      await areEmpty(to)
      return withoutTriggers(to, async () => {
        for (const { name } of shapes.toReversed()) await tables<any>(to).deleteFrom(name).execute()
        const copied: CopiedTable[] = []
        for (const shape of shapes) copied.push({ name: shape.name, ...(await copyTable(ctx, shape, { from, to })) })
        return copied
      })
    }),
  )
  await target.keep()
  return copied
}

async function requireEmpty(tx: ReadTx, empty: ReadTx, shapes: readonly TableShape[]): Promise<void> {
  for (const shape of shapes) {
    const expected = await digestOf(empty, shape)
    const there = await countRows(tx, shape)
    if (there === expected.rows && (await digestOf(tx, shape)).checksum === expected.checksum) continue
    throw new StudioError('conflict', `The target is not empty: its table ${shape.name} holds ${rowCount(there)}.`, {
      hint: 'Name a new or empty database.',
    })
  }
}

async function copyTable(
  ctx: Pick<Context, 'signal' | 'progress'>,
  shape: TableShape,
  { from, to }: { from: ReadTx; to: WriteTx },
): Promise<Digest> {
  const total = await countRows(from, shape)
  const read = new RowsDigest(shape)
  for await (const page of pagesOf(from, shape)) {
    ctx.signal.throwIfAborted()
    await insertRows(to, shape, page)
    for (const row of page) read.add(row)
    ctx.progress({ label: `copying ${shape.name}`, done: read.result.rows, total })
  }
  await restoreOwnReferences(shape, { from, to })
  if (shape.countsIds) await setNextId(to, shape.name, await nextId(from, shape.name))
  const [given, kept] = [read.result, await digestOf(to, shape)]
  if (given.rows === kept.rows && given.checksum === kept.checksum) return kept
  throw new StudioError('internal', `The table ${shape.name} did not arrive as it was; nothing was kept of it.`, {
    hint: 'The source is untouched: go on with it.',
  })
}

/** A row may name one of its own table that comes later: that is filled in once all are there. */
async function insertRows(to: WriteTx, { name, ownReferences }: TableShape, rows: readonly Row[]): Promise<void> {
  const withoutThem = Object.fromEntries(ownReferences.map((column) => [column, null]))
  await tables<any>(to)
    .insertInto(name)
    .values(rows.map((row) => ({ ...row, ...withoutThem })))
    .execute()
}

async function restoreOwnReferences(shape: TableShape, { from, to }: { from: ReadTx; to: WriteTx }): Promise<void> {
  if (shape.ownReferences.length === 0) return
  for await (const page of pagesOf(from, shape)) {
    for (const row of page) {
      let update = tables<any>(to)
        .updateTable(shape.name)
        .set(Object.fromEntries(shape.ownReferences.map((column) => [column, row[column]])))
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

function rowCount(rows: number): string {
  return rows === 1 ? 'a row' : `${rows} rows`
}
