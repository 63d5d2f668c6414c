import { type Context, StudioError } from '../../kernel'
import { type Database, type ReadTx, tables, type WriteTx } from '../services/database'
import type { CopyTarget } from './copy-target'
import { readNextId, setNextId } from './next-id'
import { computeDigest, type Digest, type Row, RowsDigest, readPages } from './table-rows'
import { readTableShapes, type TableShape } from './table-shapes'
import { runWithoutTriggers } from './without-triggers'

export interface CopiedTable extends Digest {
  name: string
}

export interface CopyRequest {
  source: Database
  target: CopyTarget
  /** A database without a row but those of the migrations: what the target must be. */
  blank: Database
}

/**
 * Copies every row from one state of the source, in one transaction of the target, reads them back and compares, and only then
 * has them kept. Throws `conflict` where the target holds something, and changes nothing then.
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
    const there = await countRows(tx, shape)
    if (there === expected.rows && (await computeDigest(tx, shape)).checksum === expected.checksum) continue
    throw new StudioError(
      'conflict',
      `The target is not empty: its table ${shape.name} holds ${describeRowCount(there)}.`,
      {
        hint: 'Name a new or empty database.',
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
  const [given, kept] = [read.result, await computeDigest(to, shape)]
  if (given.rows === kept.rows && given.checksum === kept.checksum) return kept
  throw new StudioError('internal', `The table ${shape.name} did not arrive as it was; nothing was kept of it.`, {
    hint: 'The source is untouched: go on with it.',
  })
}

/** A row may name one of its own table that comes later: that is filled in once all are there. */
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

function describeRowCount(rows: number): string {
  return rows === 1 ? 'a row' : `${rows} rows`
}
