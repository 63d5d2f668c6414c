import { BackgroundWork } from '../../../background/background-work'
import type { Bell } from '../../../background/bell'
import { Lease } from '../../../background/lease'
import { asStudioError } from '../../../kernel'
import { DEFAULT_TRACKER_NAME } from '../../../kernel/text/item-reference'
import { formatInstant, SECOND_MS } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import {
  findItemSummaries,
  type ItemSummary,
  listReportedItems,
  listReportingTrackers,
  type ReportedItem,
  removeReports,
} from '../../queries'
import { findLocalNumbers } from '../../queries/further-trackers'
import { savePages } from '../import/fetch-items'
import { syncTracker } from '../import/sync-tracker'
import type { TrackerLink } from '../tracker-identity'
import { openNamedTracker, openTrackerLink } from '../tracker-link'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { ReadingPace } from './reading-pace'

/** How often a process looks for items of events that another one received and did not read, because it was killed. */
const LOOK_MS = 5 * SECOND_MS
/** How soon a process looks again while another one reads. */
const BUSY_MS = 250
const LEASE_MS = 45 * SECOND_MS
const RENEW_EVERY_MS = 10 * SECOND_MS
const MAX_ITEMS = 1_000

/** Reads items that trackers have reported until the signal is aborted. `bell` rings when some were. */
export async function keepReportedItemsRead(ctx: TrackerWorkspaceContext, bell: Bell): Promise<void> {
  const reader = new ReportedItems(ctx)
  let waitMs = LOOK_MS
  const work = new BackgroundWork(ctx, 'the reading of reported work items', async () => {
    waitMs = await reader.readDue()
  })
  while (!ctx.signal.aborted) {
    waitMs = LOOK_MS
    await work.attempt()
    await bell.wait(waitMs, ctx.signal)
  }
}

/** Items that the workspace has, and others, which may be new ones below them. */
const GROUPS = ['known', 'others'] as const

/**
 * When the items of a tracker may be read again. Each group has its own pace, because most events of a large tracker are about items that the
 * workspace does not have, and a change of one that it has must not wait for them.
 */
interface TrackerPace extends Record<(typeof GROUPS)[number], ReadingPace> {
  failures: number
}

/** Reported items of a tracker with their IDs there; null for one that is not of its project. */
type Reported = Map<ReportedItem, number | null>

/** Reads reported items. Of several processes, one does it at a time. */
export class ReportedItems {
  readonly #lease: Lease
  readonly #paces = new Map<string, TrackerPace>()

  constructor(private readonly ctx: TrackerWorkspaceContext) {
    this.#lease = new Lease(ctx, { work: 'hooks', forMs: LEASE_MS, renewBelowMs: LEASE_MS - RENEW_EVERY_MS })
  }

  /** Reads those of the trackers that may be asked now. Returns after how many milliseconds to look again. */
  async readDue(): Promise<number> {
    const reporting = await this.#listReporting()
    if (reporting.length === 0) return LOOK_MS
    if (await this.#isAnyDue(reporting)) {
      const isHeld = await this.#lease.whileHeld(this.ctx.signal, async (signal) => {
        const ctx = { ...this.ctx, signal }
        for (const tracker of await this.#listReporting())
          if (!signal.aborted && this.#waitOf(tracker) === 0) await this.#readRound(ctx, tracker)
      })
      if (!isHeld) return BUSY_MS
    }
    const waits = (await this.#listReporting()).map((tracker) => this.#waitOf(tracker))
    return Math.min(LOOK_MS, ...waits)
  }

  #listReporting(): Promise<string[]> {
    return this.ctx.db.read(listReportingTrackers, { createsNone: true })
  }

  #paceOf(tracker: string): TrackerPace {
    const { clock } = this.ctx
    const pace = this.#paces.get(tracker) ?? {
      known: new ReadingPace(clock),
      others: new ReadingPace(clock),
      failures: 0,
    }
    this.#paces.set(tracker, pace)
    return pace
  }

  #waitOf(tracker: string): number {
    const { known, others } = this.#paceOf(tracker)
    return Math.min(known.waitMs, others.waitMs)
  }

  /** Whether something is to be read now. It is asked without the lease, because often nothing is. */
  async #isAnyDue(reporting: readonly string[]): Promise<boolean> {
    for (const tracker of reporting) {
      if (this.#waitOf(tracker) > 0) continue
      if (!isInSettings(this.ctx, tracker)) return true
      const pace = this.#paceOf(tracker)
      // The round reports the error.
      const sorted = await this.#sortReported(this.ctx, tracker).catch(() => null)
      if (sorted === null || GROUPS.some((group) => sorted[group].size > 0 && pace[group].waitMs === 0)) return true
      for (const group of GROUPS) if (pace[group].waitMs === 0) pace[group].pauseAfterNothing()
    }
    return false
  }

  async #sortReported(
    ctx: TrackerWorkspaceContext,
    tracker: string,
  ): Promise<Record<(typeof GROUPS)[number], Reported>> {
    const reported = await ctx.db.read((tx) => listReportedItems(tx, tracker, MAX_ITEMS))
    const sorted = { known: new Map() as Reported, others: new Map() as Reported }
    if (reported.length === 0) return sorted
    const remote = await openNamedTracker(ctx, tracker)
    const keys = reported.map(({ key }) => key)
    const ids = await remote.resolveKeys(keys, ctx.signal)
    const cached = await findCached(ctx, await openTrackerLink(ctx, { name: tracker }), [...new Set(ids.values())])
    for (const item of reported) {
      const id = ids.get(item.key) ?? null
      sorted[id !== null && cached.has(id) ? 'known' : 'others'].set(item, id)
    }
    return sorted
  }

  async #readRound(ctx: TrackerWorkspaceContext, tracker: string): Promise<void> {
    if (!isInSettings(ctx, tracker)) {
      await ctx.db.write(async (tx) => removeReports(tx, tracker, await listReportedItems(tx, tracker, MAX_ITEMS)))
      return
    }
    const pace = this.#paceOf(tracker)
    try {
      const sorted = await this.#sortReported(ctx, tracker)
      for (const group of GROUPS) {
        if (pace[group].waitMs > 0) continue
        if (sorted[group].size > 0) pace[group].pauseAfterRound(await readGroup(ctx, tracker, group, sorted[group]))
        else pace[group].pauseAfterNothing()
      }
      pace.failures = 0
    } catch (error) {
      if (ctx.signal.aborted) return
      const { code, message, retryAfterSeconds } = asStudioError(error)
      if (pace.failures === 0)
        ctx.log.warn('reported work items could not be read, and wait', { tracker, code, reason: message })
      pace.failures += 1
      for (const group of GROUPS) pace[group].pauseAfterFailure(pace.failures, retryAfterSeconds ?? 0)
    }
  }
}

function isInSettings({ furtherTrackers }: TrackerWorkspaceContext, tracker: string): boolean {
  return tracker === DEFAULT_TRACKER_NAME || furtherTrackers.some(({ name }) => name === tracker)
}

/** Reads the items of a group and removes their reports. Returns how many differ now. */
async function readGroup(
  ctx: TrackerWorkspaceContext,
  tracker: string,
  group: (typeof GROUPS)[number],
  reported: Reported,
): Promise<number> {
  const ids = [...new Set([...reported.values()].filter((id) => id !== null))]
  const read = group === 'known' ? updateKnown : addBelowKnown
  const news = ids.length === 0 ? 0 : await read(ctx, tracker, ids)
  await ctx.db.write(async (tx) => {
    await removeReports(tx, tracker, [...reported.keys()])
    if (news > 0) await ctx.recorder?.note(tx, { id: 'items.sync', access: 'workspace' }, { tracker })
  })
  if (news > 0) ctx.log.info('reported work items were read', { tracker, items: reported.size, news })
  return news
}

/** Brings items of the workspace up to date. Returns how many differ now. */
async function updateKnown(
  ctx: TrackerWorkspaceContext,
  tracker: string,
  remoteIds: readonly number[],
): Promise<number> {
  const startedAt = ctx.clock.now()
  const link = await openTrackerLink(ctx, { name: tracker })
  const known = new Map([...(await findCached(ctx, link, remoteIds)).values()].map((item) => [item.id, item]))
  if (known.size === 0) return 0
  const scope = { known, isComplete: false, full: false, startedAt }
  const { updated, missing } = await syncTracker(ctx, { name: link.name, ids: [...known.keys()] }, scope)
  const gone = missing.filter(({ id, isMalformed }) => !isMalformed && known.get(id)?.isGone === false)
  return updated + gone.length
}

/** Adds those items whose parents are in the workspace, and those below them. Returns how many. */
async function addBelowKnown(
  ctx: TrackerWorkspaceContext,
  tracker: string,
  remoteIds: readonly number[],
): Promise<number> {
  const link = await openTrackerLink(ctx, { name: tracker })
  const remote = await openNamedTracker(ctx, tracker)
  const { items } = await remote.getItems(remoteIds, { signal: ctx.signal })
  const parentIds = items.flatMap(({ parentId }) => parentId ?? [])
  const parents = await findCached(ctx, link, parentIds)
  const added = new Set<number>()
  for (let before = -1; before < added.size; ) {
    before = added.size
    for (const { id, parentId } of items)
      if (parentId !== null && (parents.has(parentId) || added.has(parentId))) added.add(id)
  }
  if (added.size === 0) return 0
  const numbers = await link.tracker.resolveKeys([...added].map(String), ctx.signal)
  const read = await savePages(ctx, link, {
    ids: [...numbers.values()],
    known: new Map(),
    at: formatInstant(ctx.clock.now()),
    label: 'reading new work items',
  })
  await read.settled
  return read.counts.imported
}

/** The items that the workspace has, by their IDs in the tracker. */
async function findCached(
  { db }: TrackerWorkspaceContext,
  link: TrackerLink,
  remoteIds: readonly number[],
): Promise<ReadonlyMap<number, ItemSummary>> {
  return db.read(async (tx) => {
    const locals = await findLocalIds(tx, link, remoteIds)
    const cached: ReadonlyMap<number, ItemSummary> = await findItemSummaries(tx, [...locals.values()])
    return new Map([...locals].flatMap(([id, local]) => (cached.has(local) ? [[id, cached.get(local)!]] : [])))
  })
}

/** The IDs in the workspace of items that it may have, by their IDs in the tracker. */
async function findLocalIds(
  tx: ReadTx,
  link: TrackerLink,
  remoteIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (link.name === null) return new Map(remoteIds.map((id) => [id, id]))
  const trackerId = await link.findId(tx)
  return trackerId === null ? new Map() : findLocalNumbers(tx, trackerId, remoteIds)
}
