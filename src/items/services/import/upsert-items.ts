import type { WriteTx } from '../../../storage'
import type { TrackerItem } from '../../../tracker'
import {
  type CachedRevision,
  clearGone,
  type FetchedItem,
  findCachedRevisions,
  findLatestFields,
  incrementWorkspaceVersion,
  insertSnapshots,
  type UnversionedFields,
  upsertItemRows,
} from '../../queries'
import type { Predecessor } from '../../rules/blockers'
import { diffFields } from '../../rules/compare-snapshots'

export interface SaveCounts {
  imported: number
  updated: number
  unchanged: number
}

export interface SavedChange {
  id: number
  fromRev: number
  toRev: number
  /** Names of the fields that differ; `relations` means the links. */
  fields: string[]
}

interface UpsertOptions {
  /** The time to store with the items, ISO 8601. */
  at: string
  /** When reading began, if earlier than `at`. Rows saved since then are not replaced by an older revision. */
  since?: string
  withChanges?: boolean
}

/**
 * Saves items with a new revision or other links. Also saves new states of predecessors, renamed areas and changes of the process,
 * although they do not change the item itself. Without `predecessors`, the cached states of predecessors stay.
 */
export async function upsertItems(
  tx: WriteTx,
  items: readonly { item: TrackerItem; predecessors: readonly Predecessor[] | null }[],
  { at, since = at, withChanges = false }: UpsertOptions,
): Promise<{ counts: SaveCounts; changes: SavedChange[] }> {
  const ids = items.map(({ item }) => item.id)
  const cached = await findCachedRevisions(tx, ids)
  const counts: SaveCounts = { imported: 0, updated: 0, unchanged: 0 }
  const rows: FetchedItem[] = []
  const news: TrackerItem[] = []
  for (const { item, predecessors: fetched } of items) {
    const known = cached.get(item.id)
    const isUnchanged = known !== undefined && (isSameRevision(item, known) || isOutdated(item, known, since))
    const predecessors = fetched ?? carryOverPredecessors(item, known)
    counts[isUnchanged ? 'unchanged' : known ? 'updated' : 'imported'] += 1
    if (!isUnchanged) news.push(item)
    if (!isUnchanged || (isSameRevision(item, known) && hasUnversionedChange({ item, predecessors }, known))) {
      rows.push({ item, predecessors })
    }
  }
  const changes = withChanges ? await listChanges(tx, news, cached) : []
  await upsertItemRows(tx, rows, at)
  await insertSnapshots(tx, news, at)
  await clearGone(tx, ids)
  if (rows.length > 0) await incrementWorkspaceVersion(tx)
  return { counts, changes }
}

function isSameRevision(item: TrackerItem, known: CachedRevision): boolean {
  return known.rev === item.rev && known.relationsFingerprint === item.relationsFingerprint
}

/** A null is no change, because the tracker may not have returned the process this time. */
function hasUnversionedChange({ item, predecessors }: FetchedItem, { unversioned, ...known }: CachedRevision): boolean {
  if (known.predecessors !== JSON.stringify(predecessors)) return true
  const names = Object.keys(unversioned) as (keyof UnversionedFields)[]
  return names.some((name) => item[name] !== null && item[name] !== unversioned[name])
}

/** Whether another process saved a newer revision after this one was requested. */
function isOutdated(item: TrackerItem, known: CachedRevision, readAt: string): boolean {
  return !known.isFromFile && known.rev > item.rev && known.fetchedAt > readAt
}

/** The predecessors of the item with their cached states. */
export function carryOverPredecessors(item: TrackerItem, known: CachedRevision | undefined): Predecessor[] {
  if (item.predecessorIds.length === 0) return []
  const cached = known ? (JSON.parse(known.predecessors) as Predecessor[]) : []
  return item.predecessorIds.map(
    (id) => cached.find((predecessor) => predecessor.id === id) ?? { id, title: '', stateCategory: null },
  )
}

async function listChanges(
  tx: WriteTx,
  news: readonly TrackerItem[],
  cached: ReadonlyMap<number, CachedRevision>,
): Promise<SavedChange[]> {
  const known = news.filter((item) => cached.has(item.id))
  const fieldsBefore = await findLatestFields(
    tx,
    known.map((item) => item.id),
  )
  return known.map((item) => {
    const { rev, relationsFingerprint, isFromFile } = cached.get(item.id)!
    const before = fieldsBefore.get(item.id) ?? {}
    // A file has only some fields and no complete links, so the others cannot be compared.
    const fields = diffFields(before, item.fields)
      .map(({ field }) => field)
      .filter((field) => !isFromFile || Object.hasOwn(before, field))
    if (!isFromFile && relationsFingerprint !== item.relationsFingerprint) fields.push('relations')
    return { id: item.id, fromRev: rev, toRev: item.rev, fields }
  })
}
