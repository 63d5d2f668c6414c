import { BackgroundWork } from '../../../background/background-work'
import type { Bell } from '../../../background/bell'
import { Lease } from '../../../background/lease'
import { asStudioError } from '../../../kernel'
import { DEFAULT_TRACKER_NAME } from '../../../kernel/text/item-reference'
import { formatInstant, MINUTE_MS, SECOND_MS } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import type { TrackerItem } from '../../../tracker'
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

/** How often a process looks for items that another one was told of and did not read, because it was killed. */
const LOOK_MS = 5 * SECOND_MS
/** How soon a process looks again while another one reads. */
const BUSY_MS = 250
const LEASE_MS = 45 * SECOND_MS
const RENEW_EVERY_MS = 10 * SECOND_MS
const MAX_ITEMS = 1_000
/** The pause after a round that found news, and the longest one after rounds that found none. */
const PAUSE_MS = 1 * SECOND_MS
const MAX_PAUSE_MS = 30 * SECOND_MS
const MAX_BACKOFF_MS = 5 * MINUTE_MS

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

/** When a tracker may be asked again. */
interface Pace {
  notBefore: number
  /** Rounds in a row that found nothing new: somebody repeats events, or floods the service with them. */
  idleRounds: number
  failures: number
}

/** Reads reported items. Of several processes, one does it at a time. */
export class ReportedItems {
  readonly #lease: Lease
  readonly #paces = new Map<string, Pace>()

  constructor(private readonly ctx: TrackerWorkspaceContext) {
    this.#lease = new Lease(ctx, { work: 'hooks', forMs: LEASE_MS, renewBelowMs: LEASE_MS - RENEW_EVERY_MS })
  }

  /** Reads those of the trackers that may be asked now. Returns after how many milliseconds to look again. */
  async readDue(): Promise<number> {
    const reporting = await this.#listReporting()
    if (reporting.length === 0) return LOOK_MS
    if (reporting.some((tracker) => this.#waitOf(tracker) <= 0)) {
      const isHeld = await this.#lease.whileHeld(this.ctx.signal, async (signal) => {
        const ctx = { ...this.ctx, signal }
        for (const tracker of await this.#listReporting())
          if (!signal.aborted && this.#waitOf(tracker) <= 0) await this.#readRound(ctx, tracker)
      })
      if (!isHeld) return BUSY_MS
    }
    const waits = (await this.#listReporting()).map((tracker) => this.#waitOf(tracker))
    return Math.max(0, Math.min(LOOK_MS, ...waits))
  }

  #listReporting(): Promise<string[]> {
    return this.ctx.db.read(listReportingTrackers, { createsNone: true })
  }

  #waitOf(tracker: string): number {
    return (this.#paces.get(tracker)?.notBefore ?? 0) - this.ctx.clock.now()
  }

  async #readRound(ctx: TrackerWorkspaceContext, tracker: string): Promise<void> {
    const reported = await ctx.db.read((tx) => listReportedItems(tx, tracker, MAX_ITEMS))
    if (reported.length === 0) return
    if (!isInSettings(ctx, tracker)) {
      await ctx.db.write((tx) => removeReports(tx, tracker, reported))
      return
    }
    const pace = this.#paces.get(tracker) ?? { notBefore: 0, idleRounds: 0, failures: 0 }
    this.#paces.set(tracker, pace)
    try {
      const news = await readReported(ctx, tracker, reported)
      await ctx.db.write(async (tx) => {
        await removeReports(tx, tracker, reported)
        if (news > 0) await ctx.recorder?.note(tx, { id: 'items.sync', access: 'workspace' }, { tracker })
      })
      if (news > 0) ctx.log.info('reported work items were read', { tracker, items: reported.length, news })
      const isLong = ctx.clock.now() - pace.notBefore > MAX_PAUSE_MS
      pace.idleRounds = news > 0 || isLong ? 0 : pace.idleRounds + 1
      pace.failures = 0
      pace.notBefore = ctx.clock.now() + Math.min(PAUSE_MS * 2 ** pace.idleRounds, MAX_PAUSE_MS)
    } catch (error) {
      if (ctx.signal.aborted) return
      const { code, message, retryAfterSeconds } = asStudioError(error)
      if (pace.failures === 0)
        ctx.log.warn('reported work items could not be read, and wait', { tracker, code, reason: message })
      pace.failures += 1
      const backoff = Math.min(PAUSE_MS * 2 ** pace.failures, MAX_BACKOFF_MS)
      pace.notBefore = ctx.clock.now() + Math.max(backoff, (retryAfterSeconds ?? 0) * SECOND_MS)
    }
  }
}

function isInSettings({ furtherTrackers }: TrackerWorkspaceContext, tracker: string): boolean {
  return tracker === DEFAULT_TRACKER_NAME || furtherTrackers.some(({ name }) => name === tracker)
}

/** Brings reported items up to date, and adds new ones below items of the workspace. Returns how many differ now. */
async function readReported(
  ctx: TrackerWorkspaceContext,
  tracker: string,
  reported: readonly ReportedItem[],
): Promise<number> {
  const startedAt = ctx.clock.now()
  const link = await openTrackerLink(ctx, { name: tracker })
  const remote = await openNamedTracker(ctx, tracker)
  const found = await remote.resolveKeys(
    reported.map(({ key }) => key),
    ctx.signal,
  )
  const remoteIds = [...new Set(found.values())]
  const locals = await ctx.db.read((tx) => findLocalIds(tx, link, remoteIds))
  const known = await ctx.db.read((tx) => findItemSummaries(tx, [...locals.values()]))
  const isKnown = (id: number) => known.has(locals.get(id) ?? -1)
  let news = 0
  if (known.size > 0) {
    const scope = { known, isComplete: false, full: false, startedAt }
    const { updated, missing } = await syncTracker(ctx, { name: link.name, ids: [...known.keys()] }, scope)
    const gone = missing.filter(({ id, isMalformed }) => !isMalformed && known.get(id)?.isGone === false)
    news += updated + gone.length
  }
  const others = remoteIds.filter((id) => !isKnown(id))
  if (others.length === 0) return news
  const { items } = await remote.getItems(others, { signal: ctx.signal })
  return news + (await addBelowKnown(ctx, link, items))
}

/** Adds the items whose parents are in the workspace, and those below them. Returns how many. */
async function addBelowKnown(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  items: readonly TrackerItem[],
): Promise<number> {
  const parentIds = items.flatMap(({ parentId }) => parentId ?? [])
  const parents = await ctx.db.read(async (tx) => {
    const locals = await findLocalIds(tx, link, parentIds)
    const cached: ReadonlyMap<number, ItemSummary> = await findItemSummaries(tx, [...locals.values()])
    return new Set([...locals].filter(([, local]) => cached.has(local)).map(([id]) => id))
  })
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
