import { afterParts } from '../../kernel'
import type { ReadTx, WriteTx } from '../../storage'
import type { ImportedItem, ImportedItems } from '../../tracker'
import { insertFileImport } from '../queries'
import type { FileSource } from '../schemas'
import {
  createProcessLookup,
  type DecidedRow,
  decideRows,
  type ImportBatch,
  isWritten,
  saveImportedItems,
} from './save-imported-items'
import type { TrackerWorkspaceContext } from './workspace-context'

/** Rows that are kept together: enough to share the cost of a commit, few enough that others get their turn. */
const ROWS_PER_TRANSACTION = 500

/** The rows of a file on their way into the workspace. */
export interface FileImport {
  ctx: TrackerWorkspaceContext
  file: FileSource
  tracker: string | null
  rows: readonly { line: number; item: ImportedItem }[]
  isVouched: boolean
  types: string[]
}

interface Run {
  judged: DecidedRow[]
}

export function listTypes({ rows }: ImportedItems): string[] {
  return [...new Set(rows.flatMap((row) => ('item' in row && row.item.type ? [row.item.type] : [])))]
}

/** What would become of the rows; nothing is kept. */
export async function previewFileImport(importing: FileImport): Promise<Run> {
  const { ctx, rows } = importing
  return ctx.db.read(
    async (tx) => {
      const told = await prepareBatch(tx, importing)
      const judged: DecidedRow[] = []
      for (const part of partsOf(rows)) {
        ctx.signal.throwIfAborted()
        judged.push(...(await decideRows(tx, { ...told, rows: part })))
      }
      return { judged }
    },
    { createsNone: true },
  )
}

async function prepareBatch(tx: ReadTx, { file, isVouched, rows, types }: FileImport): Promise<ImportBatch> {
  const { stockProcess } = await import('../../tracker/items-file')
  return {
    rows,
    when: { asOf: file.asOf, isExplicit: isVouched },
    reading: await createProcessLookup(tx, stockProcess(types)),
  }
}

/** Part by part, each in a write of its own: an interruption costs one part. All in one where `atomic`. */
export async function saveFileImport(importing: FileImport, atomic: boolean): Promise<Run> {
  const { ctx, rows, file, tracker } = importing
  const judged: DecidedRow[] = []
  let fileImportId: number | null = null
  for (const part of atomic ? [rows] : partsOf(rows)) {
    ctx.signal.throwIfAborted()
    const kept = await ctx.db
      .write((tx) => savePart(tx, importing, { part, fileImportId, atomic }))
      .catch((error) => {
        const done = judged.filter(isWritten).length
        if (done === 0) throw error
        throw afterParts(error, {
          done: `Of the ${rows.length} rows, ${done} are kept already.`,
          again: 'What is kept is found unchanged then.',
        })
      })
    fileImportId = kept.fileImportId
    judged.push(...kept.judged)
    ctx.progress({ label: 'importing work items', done: judged.length, total: rows.length })
  }
  return { judged }

  async function savePart(
    tx: WriteTx,
    importing: FileImport,
    { part, fileImportId, atomic }: { part: FileImport['rows']; fileImportId: number | null; atomic: boolean },
  ) {
    const told = await prepareBatch(tx, importing)
    const judged: DecidedRow[] = []
    for (const chunk of partsOf(part)) judged.push(...(await decideRows(tx, { ...told, rows: chunk })))
    if (atomic && judged.some(({ decision }) => decision.outcome === 'refused')) return { judged, fileImportId }
    if (!judged.some(isWritten)) return { judged, fileImportId }
    const id = fileImportId ?? (await insertFileImport(tx, file, tracker))
    await saveImportedItems(tx, judged, { ...file, fileImportId: id })
    return { judged, fileImportId: id }
  }
}

function* partsOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS_PER_TRANSACTION)
    yield rows.slice(from, from + ROWS_PER_TRANSACTION)
}
