import { BackgroundWork } from '../../../background/background-work'
import { Lease } from '../../../background/lease'
import { asStudioError, familyOf, StudioError, withoutPlaces } from '../../../kernel'
import { DEFAULT_TRACKER_NAME } from '../../../kernel/text/item-reference'
import { pluralize } from '../../../kernel/text/text'
import { formatInstant, HOUR_MS, SECOND_MS } from '../../../kernel/time'
import type { MissingItem } from '../../../tracker'
import {
  findItemSummaries,
  listSyncStates,
  type SyncMemory,
  type SyncState,
  saveSyncDue,
  saveSyncFailure,
} from '../../queries'
import { removeLeftMarkers } from '../create/create-once'
import { groupByTracker } from '../tracker-link'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { syncTracker } from './sync-tracker'

/** How often a process looks whether a tracker is due. */
const LOOK_MS = 5 * SECOND_MS
/** A sync that was killed is taken over after this time. */
const LEASE_MS = 45 * SECOND_MS
const RENEW_EVERY_MS = 10 * SECOND_MS
/** A tracker that fails again and again is asked at least this often. */
const MAX_BACKOFF_MS = 1 * HOUR_MS
/** A tracker that asks for a longer pause is asked again after this time. */
const MAX_PAUSE_MS = 24 * HOUR_MS
/** How often it is asked which items the token can still read. The feeds of changes do not say it. */
const ACCESS_CHECK_MS = 1 * HOUR_MS
/** Processes and trackers that were started together do not ask together forever. */
const JITTER = 0.1

export interface SyncContext extends TrackerWorkspaceContext {
  syncMemory: SyncMemory
}

export interface BackgroundSyncOptions {
  everyMs: number
  /** Whether the settings have a default tracker. Without one, its place is taken by the sandbox, which no one else changes. */
  hasDefault: boolean
  /** Between 0 and 1. */
  random?(): number
}

/** Keeps the cached items of all trackers up to date until the signal is aborted. Of several processes, one does it at a time. */
export async function keepItemsSynced(ctx: SyncContext, options: BackgroundSyncOptions): Promise<void> {
  const sync = new BackgroundSync(ctx, options)
  const work = new BackgroundWork(ctx, 'the sync of work items', () => sync.syncDue())
  await work.attempt()
  await work.repeat(LOOK_MS)
}

/** Synchronizes trackers when they are due, and remembers in the database how it went. */
export class BackgroundSync {
  readonly #lease: Lease
  readonly #random: () => number
  /** When the access to the items of a tracker was last checked, by the number of the tracker. */
  readonly #accessCheckedAt = new Map<number, number>()

  constructor(
    private readonly ctx: SyncContext,
    private readonly options: BackgroundSyncOptions,
  ) {
    this.#lease = new Lease(ctx, { work: 'sync', forMs: LEASE_MS, renewBelowMs: LEASE_MS - RENEW_EVERY_MS })
    this.#random = options.random ?? Math.random
  }

  /** Synchronizes what is due, unless another process does. */
  async syncDue(): Promise<void> {
    if ((await this.#listDue()).length === 0) return
    await this.#lease.whileHeld(this.ctx.signal, async (signal) => {
      const ctx = { ...this.ctx, signal }
      // Another process may have done it just now.
      for (const state of await this.#listDue()) {
        if (signal.aborted) break
        await this.#sync(ctx, state)
      }
    })
  }

  async #listDue(): Promise<SyncState[]> {
    const stored = await this.ctx.db.read(listSyncStates, { createsNone: true })
    const states = stored.filter(({ name }) => name !== null || this.options.hasDefault)
    this.ctx.syncMemory.states = states
    return states.filter((state) => this.#isDue(state))
  }

  #isDue({ dueAt, failures }: SyncState): boolean {
    if (dueAt === null) return true
    const waitMs = Date.parse(dueAt) - this.ctx.clock.now()
    const { everyMs } = this.options
    // A later time was stored with a longer interval, by a clock that was ahead, or before somebody synchronized the items by hand.
    const isTooLate = waitMs > 2 * (failures === 0 ? everyMs : Math.max(everyMs, MAX_PAUSE_MS))
    return waitMs <= 0 || isTooLate
  }

  async #sync(ctx: TrackerWorkspaceContext, state: SyncState): Promise<void> {
    const { trackerId } = state
    const tracker = state.name ?? DEFAULT_TRACKER_NAME
    try {
      const { updated, gone, unreadable } = await this.#syncOne(ctx, state)
      if (updated + gone > 0) ctx.log.info('work items were synchronized', { tracker, updated, gone })
      if (unreadable !== null) throw unreadable
      await this.ctx.db.write(async (tx) => {
        await saveSyncDue(tx, trackerId, this.#after(this.options.everyMs))
        if (updated + gone > 0) await ctx.recorder?.note(tx, { id: 'items.sync', access: 'workspace' }, { tracker })
      })
    } catch (error) {
      if (ctx.signal.aborted) return
      const known = asStudioError(error)
      const { code, message, retryAfterSeconds } = known
      const backoff = Math.min(this.options.everyMs * 2 ** state.failures, MAX_BACKOFF_MS)
      const pauseMs = Math.min((retryAfterSeconds ?? 0) * SECOND_MS, MAX_PAUSE_MS)
      const dueAt = this.#after(Math.max(backoff, pauseMs))
      // Remote callers read the text, and must not learn the addresses and files of this machine.
      const failure = { failures: state.failures + 1, code, text: withoutPlaces(known).message, dueAt }
      const cause = familyOf(code) === 'internal' ? { cause: known.cause ?? known } : {}
      ctx.log.warn('work items could not be synchronized', { tracker, code, reason: message, ...cause })
      await this.ctx.db.write((tx) => saveSyncFailure(tx, trackerId, failure))
    }
  }

  async #syncOne(ctx: TrackerWorkspaceContext, { trackerId, name }: SyncState) {
    const startedAt = ctx.clock.now()
    await removeLeftMarkers(ctx)
    const all = await ctx.db.read((tx) => findItemSummaries(tx))
    const group = (await groupByTracker(ctx, [...all.keys()])).find((one) => one.name === name) ?? { name, ids: [] }
    const known = new Map(group.ids.map((id) => [id, all.get(id)!]))
    const checkedAt = this.#accessCheckedAt.get(trackerId) ?? Number.NEGATIVE_INFINITY
    const checksAccess = startedAt - checkedAt >= ACCESS_CHECK_MS
    const scope = { known, isComplete: true, full: false, checksAccess, startedAt }
    const { updated, missing } = await syncTracker(ctx, group, scope)
    if (checksAccess) this.#accessCheckedAt.set(trackerId, startedAt)
    const malformed = missing.filter(({ isMalformed }) => isMalformed)
    const gone = missing.filter(({ id, isMalformed }) => !isMalformed && all.get(id)?.isGone === false)
    return { updated, gone: gone.length, unreadable: malformed.length === 0 ? null : createUnreadableError(malformed) }
  }

  #after(ms: number): string {
    const spread = 1 - JITTER + 2 * JITTER * this.#random()
    return formatInstant(this.ctx.clock.now() + Math.round(ms * spread))
  }
}

function createUnreadableError([first, ...others]: readonly MissingItem[]): StudioError {
  const more = others.length === 0 ? '' : ` The same is true of ${pluralize(others.length, 'more item')}.`
  return new StudioError('tracker_answer', `The work item ${first!.id} could not be read: ${first!.reason}${more}`)
}
