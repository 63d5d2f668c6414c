import { afterParts, type Context, isBoundToPlan, StudioError, settlePlan } from '../../kernel'
import type { StorageContext, WriteTx } from '../../storage'
import { writeAppointments } from './tenant-access'

/** How the rows of a file are imported. */
export interface FileImport<Row, Outcome> {
  rows: readonly Row[]
  /** The most rows of a file. */
  maxRows: number
  /** Enough rows to share the cost of a commit, and few enough that other writers do not wait long. */
  rowsPerTransaction: number
  /** What is done with the rows, for the progress. */
  label: string
  /** What happens to the rows that are done if the import is run again. */
  again: string
  /** Imports a part of the rows. A row that is refused changes nothing. */
  importRows(tx: WriteTx, rows: readonly Row[]): Promise<Outcome[]>
  /** What a plan is compared by: an outcome without what is made anew in each run. */
  toFacts(outcome: Outcome): unknown
  /** Whether all rows are one transaction, which is rolled back in a dry run and if `isRefused` says so. */
  atomic: boolean
  dryRun: boolean
  isRefused?(outcome: Outcome): boolean
}

/** Imports the rows in parts, each in a transaction of its own; or all in one. Throws `invalid` for too many rows. */
export async function importInParts<Row, Outcome>(
  ctx: Context & StorageContext,
  file: FileImport<Row, Outcome>,
): Promise<Outcome[]> {
  const { rows, maxRows, rowsPerTransaction, label, again, importRows } = file
  if (rows.length > maxRows) {
    const message = `The file has ${rows.length} rows; at most ${maxRows} can be imported at once.`
    throw new StudioError('invalid', message, { hint: 'Split the file and import the parts.' })
  }
  if (file.atomic || file.dryRun || isBoundToPlan(ctx)) return importInOneTransaction(ctx, file)
  const outcomes: Outcome[] = []
  for (let from = 0; from < rows.length; from += rowsPerTransaction) {
    ctx.signal.throwIfAborted()
    const part = rows.slice(from, from + rowsPerTransaction)
    const done = await writeAppointments(ctx, (tx) => importRows(tx, part)).catch((error) => {
      if (from === 0) throw error
      throw afterParts(error, { done: `The first ${from} of ${rows.length} rows are done.`, again })
    })
    outcomes.push(...done)
    ctx.progress({ label, done: outcomes.length, total: rows.length })
  }
  return outcomes
}

async function importInOneTransaction<Row, Outcome>(
  ctx: Context & StorageContext,
  { rows, importRows, toFacts, atomic, dryRun, isRefused }: FileImport<Row, Outcome>,
): Promise<Outcome[]> {
  let outcomes: Outcome[] = []
  const rollback = new StudioError('conflict', 'The import was rolled back.')
  const work = writeAppointments(ctx, async (tx) => {
    outcomes = await importRows(tx, rows)
    settlePlan(ctx, outcomes.map(toFacts))
    if (dryRun || (atomic && isRefused && outcomes.some(isRefused))) throw rollback
  })
  await work.catch((error) => {
    if (error !== rollback) throw error
  })
  return outcomes
}
