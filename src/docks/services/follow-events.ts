import { setTimeout as sleep } from 'node:timers/promises'
import { findTenantId } from '../../access'
import type { Context } from '../../kernel'
import type { ReadTx, StorageContext } from '../../storage'
import { findLastChange, listChangedBetween } from '../queries'
import { type AppointmentEvent, readEvents } from './read-events'

/** How often it looks for new events. */
const POLL_MS = 500
/** IDs that one transaction reads at most, whoever they belong to. */
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
    if (!(await pause(signal, POLL_MS / 10))) return null
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

/** The events after an ID, and new ones as they come, until the signal is aborted. */
export async function* followEvents(
  ctx: EventContext,
  selection: EventSelection,
  after: number,
): AsyncGenerator<AppointmentEvent> {
  for (let last = after; !ctx.signal.aborted; ) {
    const end = await findSettledEnd(ctx)
    if (end === null) return
    const page = await readEventPage(ctx, selection, { after: last, end, limit: 100 })
    last = page.lastId
    yield* page.events
    if (last >= end && !(await pause(ctx.signal, POLL_MS))) return
  }
}

/** False if the signal was aborted. */
function pause(signal: AbortSignal, ms: number): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false)
}
