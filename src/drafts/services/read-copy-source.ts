import {
  type CachedItem,
  createItemNotFoundError,
  createNoSnapshotError,
  fetchItems,
  findCachedItem,
  findLatestFields,
  findPeopleInFields,
  findRelatedPeople,
  type TrackerWorkspaceContext,
} from '../../items'
import { type ErrorCode, type Hint, hint, StudioError, suggest, withoutPlaces } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { CopiedItem } from '../rules/create-sanitized-copy'

interface CopySource {
  item: CopiedItem
  /** Its fields by reference name. */
  fields: Record<string, unknown>
  /** The names of people that its texts may contain. */
  people: string[]
  /** What was read from the tracker; empty for a cached revision. */
  fetched: Awaited<ReturnType<typeof fetchItems>>['fetched']
  /** True for a cached revision. */
  stale: boolean
  /** When the item was read from the tracker or a file, ISO 8601. */
  fetchedAt: string
}

/** The tracker cannot be reached, or the settings name none that has the item: that of a file, for example. */
const WITHOUT_TRACKER: readonly ErrorCode[] = ['tracker_unavailable', 'tracker_timeout', 'conflict', 'invalid']

/** Reads a work item from its tracker. Without the tracker, or if `cached` asks for it, takes the cached revision; in the first case it says so. */
export async function readCopySource(
  ctx: TrackerWorkspaceContext,
  { id, cached }: { id: number; cached: boolean },
): Promise<CopySource> {
  if (cached) {
    const source = await findCachedSource(ctx, id)
    if (source === null) throw createNoSnapshotError(id)
    return source
  }
  const fetchedAt = formatInstant(ctx.clock.now())
  const result = await fetchItems(ctx, [id], 'reading the work item').catch(async (error) => {
    const source = await findCachedSource(ctx, id)
    if (source === null || !(error instanceof StudioError)) throw error
    if (!WITHOUT_TRACKER.includes(error.code)) throw error
    ctx.notice(describeCachedSource(source, error))
    return source
  })
  if ('item' in result) return result
  const { fetched, missing } = result
  const item = fetched[0]?.item
  if (item)
    return {
      item,
      fields: item.fields,
      people: await findPeople(ctx, item, item.fields),
      fetched,
      stale: false,
      fetchedAt,
    }
  const snapshot = await findCachedSource(ctx, id)
  if (snapshot?.item.fromFile) {
    ctx.notice(describeCachedSource(snapshot, createItemNotFoundError(id)))
    return snapshot
  }
  const copyIt = hint`Copy its snapshot: ${suggest('drafts.copy-sanitize', { id, cached: true })}`
  throw createItemNotFoundError(id, snapshot === null ? undefined : copyIt, missing[0]?.end)
}

async function findCachedSource(
  ctx: TrackerWorkspaceContext,
  id: number,
): Promise<(CopySource & { item: CachedItem }) | null> {
  const found = await ctx.db.read(async (tx) => {
    const item = await findCachedItem(tx, id)
    return item && { item, fields: (await findLatestFields(tx, [id])).get(id) ?? {} }
  })
  if (found === null) return null
  const { item, fields } = found
  const predecessorIds = item.predecessors.map((predecessor) => predecessor.id)
  const people = await findPeople(ctx, { ...item, predecessorIds }, fields)
  return { item, fields, people, fetched: [], stale: true, fetchedAt: item.fetchedAt }
}

async function findPeople(
  ctx: TrackerWorkspaceContext,
  item: Parameters<typeof findRelatedPeople>[1],
  fields: Record<string, unknown>,
): Promise<string[]> {
  const known = await ctx.db.read((tx) => findRelatedPeople(tx, item))
  return [...new Set([...findPeopleInFields(fields), ...known])]
}

/** Notices also reach callers of the service, who learn no places of its machine. */
function describeCachedSource({ item, fetchedAt }: CopySource, error: StudioError): Hint {
  const { message } = withoutPlaces(error)
  return `Copied the cached revision ${item.rev} of ${fetchedAt}, because the tracker did not return the item. ${message}`
}
