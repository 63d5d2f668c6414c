import { afterParts } from '../../kernel'
import type { ReadTx, WriteTx } from '../../storage'
import type { ImportedItem, ImportedItems } from '../../tracker'
import { insertFileImport } from '../queries'
import type { FileSource } from '../schemas'
import type { MirrorContext } from './context'
import { isKept, type JudgedRow, judgeRows, keepJudged, readingOf, type ToldRows } from './keep-told'

/** Rows that are kept together: enough to share the cost of a commit, few enough that others get their turn. */
const ROWS_TOGETHER = 500

/** The rows of a file on their way into the workspace. */
export interface Importing {
  ctx: MirrorContext
  file: FileSource
  tracker: string | null
  rows: readonly { line: number; item: ImportedItem }[]
  isVouched: boolean
  types: string[]
}

interface Run {
  judged: JudgedRow[]
}

export function typesIn({ rows }: ImportedItems): string[] {
  return [...new Set(rows.flatMap((row) => ('item' in row && row.item.type ? [row.item.type] : [])))]
}

/** What would become of the rows; nothing is kept. */
export async function look(importing: Importing): Promise<Run> {
  const { ctx, rows } = importing
  return ctx.db.read(
    async (tx) => {
      const told = await withReading(tx, importing)
      const judged: JudgedRow[] = []
      for (const part of partsOf(rows)) {
        ctx.signal.throwIfAborted()
        judged.push(...(await judgeRows(tx, { ...told, rows: part })))
      }
      return { judged }
    },
    { createsNone: true },
  )
}

async function withReading(tx: ReadTx, { file, isVouched, rows, types }: Importing): Promise<ToldRows> {
  const { stockProcess } = await import('../../tracker/items-file')
  return { rows, when: { asOf: file.asOf, isVouched }, reading: await readingOf(tx, stockProcess(types)) }
}

/** Part by part, each in a write of its own: an interruption costs one part. All in one where `atomic`. */
export async function keep(importing: Importing, atomic: boolean): Promise<Run> {
  const { ctx, rows, file, tracker } = importing
  const judged: JudgedRow[] = []
  let fileImportId: number | null = null
  for (const part of atomic ? [rows] : partsOf(rows)) {
    ctx.signal.throwIfAborted()
    const kept = await ctx.db
      .write((tx) => keepPart(tx, importing, { part, fileImportId, atomic }))
      .catch((error) => {
        const done = judged.filter(isKept).length
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

  async function keepPart(
    tx: WriteTx,
    importing: Importing,
    { part, fileImportId, atomic }: { part: Importing['rows']; fileImportId: number | null; atomic: boolean },
  ) {
    const told = await withReading(tx, importing)
    const judged: JudgedRow[] = []
    for (const chunk of partsOf(part)) judged.push(...(await judgeRows(tx, { ...told, rows: chunk })))
    if (atomic && judged.some(({ verdict }) => verdict.outcome === 'refused')) return { judged, fileImportId }
    if (!judged.some(isKept)) return { judged, fileImportId }
    const id = fileImportId ?? (await insertFileImport(tx, file, tracker))
    await keepJudged(tx, judged, { ...file, fileImportId: id })
    return { judged, fileImportId: id }
  }
}

function* partsOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS_TOGETHER) yield rows.slice(from, from + ROWS_TOGETHER)
}
