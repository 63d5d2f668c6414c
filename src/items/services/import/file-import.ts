import { afterParts, isBoundToPlan, settlePlan } from '../../../kernel'
import { chunksOf } from '../../../kernel/work/chunks'
import type { ReadTx, WriteTx } from '../../../storage'
import type { ImportedItem, ImportedItems, StockProcess } from '../../../tracker'
import {
  type FetchedItem,
  findCachedItems,
  findCachedRevisions,
  findLatestFields,
  incrementWorkspaceVersion,
  insertFileImport,
  insertSnapshots,
  loadKnownProcess,
  markConfirmedByFile,
  stateKey,
  upsertItemRows,
} from '../../queries'
import {
  type FileDate,
  type ImportDecision,
  mergeImportedItem,
  type ProcessLookup,
  type StoredItem,
} from '../../rules/merge-imported-item'
import type { FileSource } from '../../schemas'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { MIN_SERIES } from './fetch-items'
import { carryOverPredecessors } from './upsert-items'

/** Large enough to share the cost of a commit, small enough not to block other writers. */
const ROWS_PER_TRANSACTION = 500

export interface ImportRow {
  line: number
  item: ImportedItem
}

export interface FileImport {
  ctx: TrackerWorkspaceContext
  file: FileSource
  /** The tracker that the file names, if any. */
  tracker: string | null
  rows: readonly ImportRow[]
  isDateExplicit: boolean
  /** The types of all rows, from which the stock process is chosen. */
  types: string[]
}

export interface DecidedRow {
  line: number
  id: number
  /** When the item was read from the tracker, if the row has that time. */
  readAt: string | null
  decision: ImportDecision
  /** An older file had the same values, so only the source of the item is updated. */
  confirms: boolean
}

export function listTypes({ rows }: ImportedItems): string[] {
  return [...new Set(rows.flatMap((row) => ('item' in row && row.item.type ? [row.item.type] : [])))]
}

/** Decides about all rows and saves nothing. */
export async function previewFileImport({ ctx, rows, ...fileImport }: FileImport): Promise<DecidedRow[]> {
  return ctx.db.read(
    async (tx) => {
      const decide = await prepareDecisions(tx, fileImport)
      const decided: DecidedRow[] = []
      for (const chunk of chunksOf(rows, ROWS_PER_TRANSACTION)) {
        ctx.signal.throwIfAborted()
        decided.push(...(await decide(chunk)))
      }
      settlePlan(ctx, decided)
      return decided
    },
    { createsNone: true },
  )
}

/**
 * Saves the rows in transactions of 500, so that an interruption loses only one of them; in a single transaction if `atomic`, or if the
 * caller has seen the plan.
 */
export async function saveFileImport(fileImport: FileImport, atomic: boolean): Promise<DecidedRow[]> {
  const { ctx, rows } = fileImport
  const decided: DecidedRow[] = []
  let fileImportId: number | null = null
  const isOnePart = atomic || isBoundToPlan(ctx)
  const continues = rows.length > MIN_SERIES
  try {
    for (const part of isOnePart ? [rows] : chunksOf(rows, ROWS_PER_TRANSACTION)) {
      ctx.signal.throwIfAborted()
      const saved = await ctx.db
        .write((tx) => savePart(tx, fileImport, { part, fileImportId, atomic }), { continues })
        .catch((error) => {
          const done = decided.filter(isWritten).length
          if (done === 0) throw error
          throw afterParts(error, {
            done: `Of the ${rows.length} rows, ${done} are already saved.`,
            again: 'These rows will be reported as unchanged.',
          })
        })
      fileImportId = saved.fileImportId
      decided.push(...saved.decided)
      ctx.progress({ label: 'importing work items', done: decided.length, total: rows.length })
    }
  } finally {
    await ctx.db.settle?.()
  }
  return decided
}

async function savePart(
  tx: WriteTx,
  fileImport: FileImport,
  { part, fileImportId, atomic }: { part: readonly ImportRow[]; fileImportId: number | null; atomic: boolean },
): Promise<{ decided: DecidedRow[]; fileImportId: number | null }> {
  const { ctx, file, tracker } = fileImport
  const decide = await prepareDecisions(tx, fileImport)
  const decided: DecidedRow[] = []
  for (const chunk of chunksOf(part, ROWS_PER_TRANSACTION)) decided.push(...(await decide(chunk)))
  if (isBoundToPlan(ctx)) settlePlan(ctx, decided)
  const isRefused = atomic && decided.some(({ decision }) => decision.outcome === 'refused')
  if (isRefused || !decided.some(isWritten)) return { decided, fileImportId }
  const id = fileImportId ?? (await insertFileImport(tx, file, tracker))
  await saveImportedItems(tx, decided, { ...file, fileImportId: id })
  return { decided, fileImportId: id }
}

/** Whether the decision writes anything. */
function isWritten({ decision, confirms }: DecidedRow): boolean {
  return 'item' in decision || confirms
}

/** Makes a function that decides about rows, against the items that are cached in this transaction. */
async function prepareDecisions(
  tx: ReadTx,
  { file, isDateExplicit, types }: Pick<FileImport, 'file' | 'isDateExplicit' | 'types'>,
): Promise<(rows: readonly ImportRow[]) => Promise<DecidedRow[]>> {
  const { createStockProcess } = await import('../../../tracker/items-file')
  const process = await loadProcessLookup(tx, createStockProcess(types))
  const fileDate: FileDate = { asOf: file.asOf, isExplicit: isDateExplicit }
  return async (rows) => {
    const stored = await findStoredItems(
      tx,
      rows.map(({ item }) => item.id),
    )
    return rows.map(({ line, item }) => {
      const known = stored.get(item.id) ?? null
      const decision = mergeImportedItem(item, known, fileDate, process)
      const isOlderFile = known?.item.fromFile != null && file.asOf !== null && known.item.fetchedAt < file.asOf
      const confirms = decision.outcome === 'unchanged' && isOlderFile
      return { line, id: item.id, readAt: item.readAt ?? null, decision, confirms }
    })
  }
}

/** Prefers what the tracker reported with cached items to the stock process. */
async function loadProcessLookup(tx: ReadTx, stock: StockProcess): Promise<ProcessLookup> {
  const known = await loadKnownProcess(tx)
  return {
    levelOf: (type) => known.levels.get(type) ?? stock.levelOf(type),
    categoryOf: (type, state) => known.categories.get(stateKey(type, state)) ?? stock.categoryOf(state),
  }
}

async function findStoredItems(tx: ReadTx, ids: readonly number[]): Promise<Map<number, StoredItem>> {
  const items = await findCachedItems(tx, ids)
  const fields = await findLatestFields(
    tx,
    items.map(({ id }) => id),
  )
  return new Map(items.map((item) => [item.id, { item, fields: fields.get(item.id) ?? {} }]))
}

async function saveImportedItems(
  tx: WriteTx,
  decided: readonly DecidedRow[],
  { importedAt, asOf, fileImportId }: { importedAt: string; asOf: string | null; fileImportId: number },
): Promise<void> {
  const news = decided.flatMap(({ decision, readAt }) => ('item' in decision ? [{ item: decision.item, readAt }] : []))
  const known = await findCachedRevisions(
    tx,
    decided.map(({ id }) => id),
  )
  // Rows that studio has written have the time of reading; other rows are as old as the file.
  const byTime = new Map<string, FetchedItem[]>()
  for (const { item, readAt } of news) {
    const at = readAt ?? asOf ?? importedAt
    const group = byTime.get(at) ?? []
    byTime.set(at, group)
    group.push({ item, predecessors: carryOverPredecessors(item, known.get(item.id)) })
  }
  for (const [at, items] of byTime) await upsertItemRows(tx, items, at, fileImportId)
  await insertSnapshots(
    tx,
    news.map(({ item }) => item),
    importedAt,
    fileImportId,
  )
  const confirmed = decided.filter(({ confirms }) => confirms).map(({ id }) => id)
  if (asOf !== null) await markConfirmedByFile(tx, confirmed, { at: asOf, fileImportId })
  if (decided.some(isWritten)) await incrementWorkspaceVersion(tx)
}
