import type { ReadTx, WriteTx } from '../../storage'
import type { ImportedItem, StockProcess, TrackerItem } from '../../tracker'
import {
  cachedRevisions,
  findCachedItems,
  insertSnapshots,
  knownProcess,
  latestFieldsOf,
  noteTold,
  type SeenItem,
  saveItemRows,
  stateKey,
  touch,
} from '../queries'
import { judge, type KeptItem, type Reading, type RowVerdict, type ToldWhen } from '../rules/told-row'
import { carriedOver } from './keep-items'

export interface JudgedRow {
  line: number
  id: number
  /** When the item was read from the tracker, as the row tells. */
  readAt: string | null
  verdict: RowVerdict
  /** An older file told the same. */
  confirms: boolean
}

/** Whether anything is written for the row. */
export function isKept({ verdict, confirms }: JudgedRow): boolean {
  return 'item' in verdict || confirms
}

export interface ToldRows {
  rows: readonly { line: number; item: ImportedItem }[]
  when: ToldWhen
  reading: Reading
}

/** What becomes of each row, against what is kept now. */
export async function judgeRows(tx: ReadTx, { rows, when, reading }: ToldRows): Promise<JudgedRow[]> {
  const kept = await keptItems(
    tx,
    rows.map(({ item }) => item.id),
  )
  return rows.map(({ line, item }) => {
    const known = kept.get(item.id) ?? null
    const verdict = judge(item, known, when, reading)
    const isOfOlderFile = known?.item.fromFile != null && when.asOf !== null && known.item.fetchedAt < when.asOf
    const confirms = verdict.outcome === 'unchanged' && isOfOlderFile
    return { line, id: item.id, readAt: item.readAt ?? null, verdict, confirms }
  })
}

async function keptItems(tx: ReadTx, ids: readonly number[]): Promise<Map<number, KeptItem>> {
  const items = await findCachedItems(tx, ids)
  const fields = await latestFieldsOf(
    tx,
    items.map(({ id }) => id),
  )
  return new Map(items.map((item) => [item.id, { item, fields: fields.get(item.id) ?? {} }]))
}

/** What tells levels and categories: the items that the tracker gave, and the stock processes where they do not. */
export async function readingOf(tx: ReadTx, stock: StockProcess): Promise<Reading> {
  const known = await knownProcess(tx)
  return {
    levelOf: (type) => known.levels.get(type) ?? stock.levelOf(type),
    categoryOf: (type, state) => known.categories.get(stateKey(type, state)) ?? stock.categoryOf(state),
  }
}

/** Keeps what is news, as what a tracker gives is kept: the item, a snapshot of it, and for the search index that there is some. */
export async function keepJudged(
  tx: WriteTx,
  judged: readonly JudgedRow[],
  { importedAt, asOf, fileImportId }: { importedAt: string; asOf: string | null; fileImportId: number },
): Promise<void> {
  const news = judged.flatMap(({ verdict, readAt }) => ('item' in verdict ? [{ item: verdict.item, readAt }] : []))
  const known = await cachedRevisions(
    tx,
    judged.map(({ id }) => id),
  )
  const seen = news.map(({ item }): SeenItem => ({ item, predecessors: carriedOver(item, known.get(item.id)) }))
  for (const [at, rows] of byMoment(news, seen, asOf ?? importedAt)) await saveItemRows(tx, rows, at, fileImportId)
  await insertSnapshots(
    tx,
    news.map(({ item }) => item),
    importedAt,
    fileImportId,
  )
  const confirmed = judged.filter(({ confirms }) => confirms).map(({ id }) => id)
  if (asOf !== null) await noteTold(tx, confirmed, { at: asOf, fileImportId })
  if (judged.some(isKept)) await touch(tx)
}

/** A row may tell when its item was read; most do not, and are as old as the file. */
function byMoment(
  news: readonly { item: TrackerItem; readAt: string | null }[],
  seen: readonly SeenItem[],
  ofFile: string,
): Map<string, SeenItem[]> {
  const groups = new Map<string, SeenItem[]>()
  for (const [at, { readAt }] of news.entries()) {
    const moment = readAt ?? ofFile
    groups.set(moment, [...(groups.get(moment) ?? []), seen[at]!])
  }
  return groups
}
