import type { ReadTx, WriteTx } from '../../storage'
import type { ImportedItem, StockProcess, TrackerItem } from '../../tracker'
import {
  type FetchedItem,
  findCachedItems,
  findCachedRevisions,
  findLatestFieldsByItem,
  incrementWorkspaceVersion,
  insertSnapshots,
  loadKnownProcess,
  markConfirmedByFile,
  stateKey,
  upsertItemRows,
} from '../queries'
import {
  type FileDate,
  type ImportDecision,
  mergeImportedItem,
  type ProcessLookup,
  type StoredItem,
} from '../rules/merge-imported-item'
import { carryOverPredecessors } from './upsert-items'

export interface DecidedRow {
  line: number
  id: number
  /** When the item was read from the tracker, as the row tells. */
  readAt: string | null
  decision: ImportDecision
  /** An older file told the same. */
  confirms: boolean
}

/** Whether anything is written for the row. */
export function isWritten({ decision, confirms }: DecidedRow): boolean {
  return 'item' in decision || confirms
}

export interface ImportBatch {
  rows: readonly { line: number; item: ImportedItem }[]
  when: FileDate
  reading: ProcessLookup
}

/** What becomes of each row, against what is kept now. */
export async function decideRows(tx: ReadTx, { rows, when, reading }: ImportBatch): Promise<DecidedRow[]> {
  const kept = await findStoredItems(
    tx,
    rows.map(({ item }) => item.id),
  )
  return rows.map(({ line, item }) => {
    const known = kept.get(item.id) ?? null
    const decision = mergeImportedItem(item, known, when, reading)
    const isOfOlderFile = known?.item.fromFile != null && when.asOf !== null && known.item.fetchedAt < when.asOf
    const confirms = decision.outcome === 'unchanged' && isOfOlderFile
    return { line, id: item.id, readAt: item.readAt ?? null, decision, confirms }
  })
}

async function findStoredItems(tx: ReadTx, ids: readonly number[]): Promise<Map<number, StoredItem>> {
  const items = await findCachedItems(tx, ids)
  const fields = await findLatestFieldsByItem(
    tx,
    items.map(({ id }) => id),
  )
  return new Map(items.map((item) => [item.id, { item, fields: fields.get(item.id) ?? {} }]))
}

/** What tells levels and categories: the items that the tracker gave, and the stock processes where they do not. */
export async function createProcessLookup(tx: ReadTx, stock: StockProcess): Promise<ProcessLookup> {
  const known = await loadKnownProcess(tx)
  return {
    levelOf: (type) => known.levels.get(type) ?? stock.levelOf(type),
    categoryOf: (type, state) => known.categories.get(stateKey(type, state)) ?? stock.categoryOf(state),
  }
}

/** Keeps what is news, as what a tracker gives is kept: the item, a snapshot of it, and for the search index that there is some. */
export async function saveImportedItems(
  tx: WriteTx,
  judged: readonly DecidedRow[],
  { importedAt, asOf, fileImportId }: { importedAt: string; asOf: string | null; fileImportId: number },
): Promise<void> {
  const news = judged.flatMap(({ decision, readAt }) => ('item' in decision ? [{ item: decision.item, readAt }] : []))
  const known = await findCachedRevisions(
    tx,
    judged.map(({ id }) => id),
  )
  const seen = news.map(
    ({ item }): FetchedItem => ({ item, predecessors: carryOverPredecessors(item, known.get(item.id)) }),
  )
  for (const [at, rows] of groupByReadTime(news, seen, asOf ?? importedAt))
    await upsertItemRows(tx, rows, at, fileImportId)
  await insertSnapshots(
    tx,
    news.map(({ item }) => item),
    importedAt,
    fileImportId,
  )
  const confirmed = judged.filter(({ confirms }) => confirms).map(({ id }) => id)
  if (asOf !== null) await markConfirmedByFile(tx, confirmed, { at: asOf, fileImportId })
  if (judged.some(isWritten)) await incrementWorkspaceVersion(tx)
}

/** A row may tell when its item was read; most do not, and are as old as the file. */
function groupByReadTime(
  news: readonly { item: TrackerItem; readAt: string | null }[],
  seen: readonly FetchedItem[],
  ofFile: string,
): Map<string, FetchedItem[]> {
  const groups = new Map<string, FetchedItem[]>()
  for (const [at, { readAt }] of news.entries()) {
    const moment = readAt ?? ofFile
    groups.set(moment, [...(groups.get(moment) ?? []), seen[at]!])
  }
  return groups
}
