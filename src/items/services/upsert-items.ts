import type { WriteTx } from '../../storage'
import type { TrackerItem } from '../../tracker'
import {
  type CachedRevision,
  clearGone,
  type FetchedItem,
  findCachedRevisions,
  findLatestFieldsByItem,
  incrementWorkspaceVersion,
  insertSnapshots,
  type UnversionedFields,
  upsertItemRows,
} from '../queries'
import type { Predecessor } from '../rules/blockers'
import { diffFields } from '../rules/field-changes'

export interface SaveCounts {
  imported: number
  updated: number
  unchanged: number
}

/** How a kept item came to be another one. */
export interface SavedChange {
  id: number
  fromRev: number
  toRev: number
  /** Names of the fields that differ; `relations` where its links do. */
  fields: string[]
}

/** An item as it was read. Without `predecessors` it keeps what was known of those it waits for. */
export interface ReadItem {
  item: TrackerItem
  predecessors: readonly Predecessor[] | null
}

export interface UpsertOptions {
  /** As of when it is kept, ISO 8601. */
  at: string
  /** When the reading began, where that was before: what was kept since then is not older than it. */
  since?: string
  /** True where the changes are wanted, too. */
  withChanges?: boolean
}

/**
 * Keeps what is news: a new revision, or other links. That a predecessor has moved on, an area was renamed or the process has changed is
 * kept too, though it is no change of the item itself.
 */
export async function upsertItems(
  tx: WriteTx,
  read: readonly ReadItem[],
  { at, since = at, withChanges = false }: UpsertOptions,
): Promise<{ counts: SaveCounts; changes: SavedChange[] }> {
  const ids = read.map(({ item }) => item.id)
  const cached = await findCachedRevisions(tx, ids)
  const counts: SaveCounts = { imported: 0, updated: 0, unchanged: 0 }
  const rows: FetchedItem[] = []
  const news: TrackerItem[] = []
  for (const { item, predecessors } of read) {
    const known = cached.get(item.id)
    const isSame = known !== undefined && (isSameRevision(item, known) || isOutdated(item, known, since))
    const seen = predecessors ?? carryOverPredecessors(item, known)
    counts[isSame ? 'unchanged' : known ? 'updated' : 'imported'] += 1
    if (!isSame) news.push(item)
    if (!isSame || (isSameRevision(item, known) && hasUnversionedChange({ item, predecessors: seen }, known))) {
      rows.push({ item, predecessors: seen })
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

/** The same revision, and yet something around it is not as it was. A null may only mean that the process was not told this time. */
function hasUnversionedChange(
  { item, predecessors }: FetchedItem,
  { unversioned: standing, ...known }: CachedRevision,
): boolean {
  if (known.predecessors !== JSON.stringify(predecessors)) return true
  const names = Object.keys(standing) as (keyof UnversionedFields)[]
  return names.some((name) => item[name] !== null && item[name] !== standing[name])
}

/** Somebody else kept a newer one while this one was on its way. */
function isOutdated(item: TrackerItem, known: CachedRevision, readAt: string): boolean {
  return !known.isFromFile && known.rev > item.rev && known.fetchedAt > readAt
}

/** Those that it waits for, with what was known of them. */
export function carryOverPredecessors(item: TrackerItem, known: CachedRevision | undefined): Predecessor[] {
  if (item.predecessorIds.length === 0) return []
  const seen = known ? (JSON.parse(known.predecessors) as Predecessor[]) : []
  return item.predecessorIds.map(
    (id) => seen.find((predecessor) => predecessor.id === id) ?? { id, title: '', stateCategory: null },
  )
}

async function listChanges(
  tx: WriteTx,
  news: readonly TrackerItem[],
  cached: ReadonlyMap<number, CachedRevision>,
): Promise<SavedChange[]> {
  const known = news.filter((item) => cached.has(item.id))
  const before = await findLatestFieldsByItem(
    tx,
    known.map((item) => item.id),
  )
  return known.map((item) => {
    const { rev, relationsFingerprint, isFromFile } = cached.get(item.id)!
    const was = before.get(item.id) ?? {}
    const differing = diffFields(was, item.fields).map(({ field }) => field)
    // Of what a file did not tell nobody can say that it has changed.
    const fields = isFromFile ? differing.filter((field) => Object.hasOwn(was, field)) : differing
    const links = isFromFile || relationsFingerprint === item.relationsFingerprint ? [] : ['relations']
    return { id: item.id, fromRev: rev, toRev: item.rev, fields: [...fields, ...links] }
  })
}
