import { setTimeout as sleep } from 'node:timers/promises'
import { ChangeWatcher, type Watched } from '../../../kernel/work/change-watcher'
import type { Database } from '../../../storage'
import { findLastChange, type LastChange, listChangedPlaces } from '../../queries'

/** How often it looks for new events. */
const EVERY_MS = 400
/** An event without a change of the database does not exist. */
const TIMES = { everyMs: EVERY_MS, anywayMs: Number.POSITIVE_INFINITY }
/** How long one waits before it asks again whether the transactions have ended that may still commit an earlier event. */
export const SETTLING_MS = 50
/** How often one look asks. */
const SETTLING_TRIES = 4
/** Pages that are stored for other readers. A reader of the whole past asks for thousands, which no other one may want. */
const MAX_PAGES = 32

/** Whose events a reader follows. */
export interface Followed {
  /** Null for one that is known only within a transaction. */
  tenantId: string | null
  /** Null for all facilities of the tenant. */
  facilityId: string | null
}

/** One of the streams that follow the events of a database. */
export class FeedReader {
  /** Whether there may be events for it between `last` and the end of the feed. */
  isBehind = true
  #wake: (() => void) | null = null

  constructor(
    readonly followed: Followed,
    /** All its events up to this ID were read. */
    public last: number,
  ) {}

  get isWaiting(): boolean {
    return this.#wake !== null
  }

  wake(): void {
    this.#wake?.()
  }

  /** Resolves when it is woken, or the signal is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      signal.addEventListener('abort', this.#stop)
    })
    signal.removeEventListener('abort', this.#stop)
    this.#wake = null
  }

  readonly #stop = (): void => this.#wake?.()
}

/**
 * Finds new events once for all streams of a process, and wakes only those that may have to send one. What several streams read from one
 * place to another is read once for them.
 */
export class EventFeed<Page> implements Watched {
  readonly #readers = new Set<FeedReader>()
  readonly #pages = new Map<string, Promise<Page>>()
  readonly #watcher: ChangeWatcher
  #stopWatching: (() => void) | null = null
  #end: number | null = null
  #unsettled: LastChange | null = null

  constructor(private readonly db: Database) {
    this.#watcher = new ChangeWatcher(db, TIMES)
  }

  join(reader: FeedReader): void {
    this.#readers.add(reader)
    this.#stopWatching ??= this.#watcher.add(this)
  }

  leave(reader: FeedReader): void {
    this.#readers.delete(reader)
    if (this.#readers.size > 0) return
    this.#stopWatching?.()
    this.#stopWatching = null
    this.#end = null
    this.#pages.clear()
  }

  /** Waits until there may be events for the reader, and returns the ID up to which. Null if the signal is aborted. */
  async findEnd(reader: FeedReader, signal: AbortSignal): Promise<number | null> {
    while (!signal.aborted) {
      const isKnown = this.#end !== null
      if (reader.isBehind && isKnown) {
        reader.isBehind = false
        if (this.#end! > reader.last) return this.#end
      }
      await reader.wait(signal)
    }
    return null
  }

  /** What `read` returns, once for all who ask with the same key until there are new events. Only the latest are stored. */
  share(key: string, read: () => Promise<Page>): Promise<Page> {
    const known = this.#pages.get(key)
    if (known) return known
    const page = read()
    this.#pages.set(key, page)
    page.catch(() => this.#pages.delete(key))
    if (this.#pages.size > MAX_PAGES) this.#pages.delete(this.#pages.keys().next().value!)
    return page
  }

  async look(): Promise<void> {
    const found = await this.#findSettledEnd()
    if (found === null) return
    const before = this.#end
    const end = Math.max(found, before ?? 0)
    if (end !== before) {
      const places = before === null ? null : await this.#listPlaces(before, end)
      this.#end = end
      this.#pages.clear()
      for (const reader of this.#readers) {
        if (reader.isBehind || !reader.isWaiting || places === null || isAmong(places, reader.followed))
          reader.isBehind = true
        else reader.last = Math.max(reader.last, end)
      }
    }
    for (const reader of this.#readers) if (reader.isBehind) reader.wake()
  }

  /**
   * The ID up to which all events are known. On a server a transaction may still commit an event with a lower ID than one that can be read.
   * Null if such transactions take longer, so that the next look asks again.
   */
  async #findSettledEnd(): Promise<number | null> {
    for (let tries = 0; tries < SETTLING_TRIES; tries++) {
      if (tries > 0) await sleep(SETTLING_MS, undefined, { ref: false })
      const seen = await this.db.read((tx) => findLastChange(tx), { createsNone: true })
      const awaited = this.#unsettled ?? seen
      const isSettled = seen.oldest >= awaited.next
      this.#unsettled = isSettled ? null : awaited
      if (isSettled) return awaited.id
    }
    return null
  }

  async #listPlaces(after: number, until: number): Promise<Set<string>> {
    const places = await this.db.read((tx) => listChangedPlaces(tx, { after, until }))
    return new Set(places.flatMap(({ tenantId, facilityId }) => [tenantId, `${tenantId} ${facilityId}`]))
  }
}

function isAmong(places: ReadonlySet<string>, { tenantId, facilityId }: Followed): boolean {
  if (tenantId === null) return true
  return places.has(facilityId === null ? tenantId : `${tenantId} ${facilityId}`)
}
