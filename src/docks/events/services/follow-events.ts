import { setTimeout as sleep } from 'node:timers/promises'
import { findTenantId } from '../../../access'
import { type Context, StudioError } from '../../../kernel'
import type { Database, ReadTx, StorageContext } from '../../../storage'
import { findLastChange, listChangedBetween } from '../../queries'
import { EventFeed, FeedReader, SETTLING_MS } from './event-feed'
import { type AppointmentEvent, readEvents } from './read-events'

/** IDs that one transaction reads at most, of all tenants together. */
const WINDOW = 5_000

type EventContext = Context & StorageContext

export interface EventSelection {
  /** Null for all facilities of the tenant. */
  facilityId: string | null
}

export interface EventPage {
  events: AppointmentEvent[]
  /** All events up to this ID were read. */
  lastId: number
}

/**
 * The ID up to which all events are known. On a server a transaction may still commit an event with a lower ID than one that can be read,
 * so this waits for the transactions that have begun before it. Null if the signal is aborted.
 */
export async function findSettledEnd({ db, signal }: EventContext): Promise<number | null> {
  const seen = await db.read((tx) => findLastChange(tx), { createsNone: true })
  for (let { oldest } = seen; oldest < seen.next; ) {
    if (!(await pause(signal, SETTLING_MS))) return null
    oldest = (await db.read((tx) => findLastChange(tx))).oldest
  }
  return seen.id
}

/** The next events after an ID and up to another, oldest first. */
export async function readEventPage(
  ctx: EventContext,
  { facilityId }: EventSelection,
  { after, end, limit }: { after: number; end: number; limit: number },
): Promise<EventPage> {
  for (let last = after; last < end; ) {
    const until = Math.min(end, last + WINDOW)
    const page = await ctx.db.read(async (tx) => readWindow(ctx, tx, { facilityId, after: last, until, limit }))
    if (page.events.length > 0) return page
    last = until
  }
  return { events: [], lastId: Math.max(after, end) }
}

async function readWindow(
  ctx: EventContext,
  tx: ReadTx,
  { facilityId, after, until, limit }: EventSelection & { after: number; until: number; limit: number },
): Promise<EventPage> {
  const tenantId = await findTenantId(ctx, tx)
  if (tenantId === null) return { events: [], lastId: until }
  const changes = await listChangedBetween(tx, { tenantId, facilityId, after, until, limit })
  const events = await readEvents(tx, changes)
  return {
    events: changes.map(({ changeId }) => events.get(changeId)!),
    lastId: changes.length === limit ? changes.at(-1)!.changeId : until,
  }
}

const feeds = new WeakMap<Database, EventFeed<EventPage>>()

/** Events that one transaction of a stream reads at most. */
const PAGE_LENGTH = 100

/**
 * The events after an ID, and new ones as they come, until the signal is aborted. An error as its reason is thrown: the reader is to know
 * why the stream ends.
 */
export async function* followEvents(
  ctx: EventContext,
  selection: EventSelection,
  after: number,
): AsyncGenerator<AppointmentEvent> {
  const { actor, db, signal } = ctx
  const feed = feeds.get(db) ?? new EventFeed<EventPage>(db)
  feeds.set(db, feed)
  const tenantId = actor.kind === 'dock' ? actor.tenantId : null
  const reader = new FeedReader({ ...selection, tenantId }, after)
  feed.join(reader)
  try {
    for (let end = await feed.findEnd(reader, signal); end !== null; end = await feed.findEnd(reader, signal)) {
      while (reader.last < end) {
        const range = { after: reader.last, end, limit: PAGE_LENGTH }
        const read = () => readEventPage(ctx, selection, range)
        const place = [tenantId ?? actor, selection.facilityId, range]
        const page = await feed.share(JSON.stringify(place), read)
        for (const event of page.events) {
          if (signal.aborted) break
          yield event
        }
        if (signal.aborted) break
        reader.last = page.lastId
      }
    }
  } finally {
    feed.leave(reader)
  }
  if (signal.reason instanceof StudioError) throw signal.reason
}

/** False if the signal was aborted. */
function pause(signal: AbortSignal, ms: number): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false)
}
