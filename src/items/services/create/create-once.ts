import { StudioError } from '../../../kernel'
import { formatInstant, MINUTE_MS } from '../../../kernel/time'
import type { ReadTx, WriteTx } from '../../../storage'
import type { CreationOutcome, NewItem, Rejection, Tracker, TrackerItem } from '../../../tracker'
import { deleteCreation, findCreation, listMarkedItems, type StoredCreation, saveCreation } from '../../queries'
import type { TrackerLink } from '../tracker-identity'
import { groupByTracker, openTrackerLink } from '../tracker-link'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { createRejectionError } from './create-rejection-error'
import { finishCreation, type PreparedItem } from './create-work-item'
import { describeRejectedFields } from './describe-rejected-fields'

/** How long another process may take to create an item before it counts as ended. Its requests end earlier. */
const LEASE_MS = 3 * MINUTE_MS
const MAX_SENDING_MS = 2 * MINUTE_MS

/** A checked item, and what it is created from. */
export interface Creation<Sent> {
  /** The same for each call that creates this item. */
  key: string
  /** What is under way, at the beginning of a sentence: `Draft 1 is being published`. */
  activity: string
  prepared: PreparedItem
  sent: Sent
  /** Throws if the item may no longer be created, in the transaction in which the call gets the right to create it. */
  requireAllowed?(tx: ReadTx): Promise<void>
}

export interface CreatedItem<Sent> {
  id: number
  /** As it was created; null if it could not be read. */
  item: TrackerItem | null
  /** Whether an earlier call had created it. */
  wasFound: boolean
  /** What the item was created from, by this call or by the earlier one. */
  sent: Sent
  problem: string | null
}

/**
 * Creates an item. First stores a marker and the request, which stay until the outcome is known. If this call
 * does not learn the outcome, the next call with the same key looks for the item with the marker, and sends the request again only if there is
 * no such item. `save` stores what the caller records about the item; it is called again with the last revision of the item, which is cached
 * then. Returns the current item, or null if it could not be read.
 */
export async function createOnce<Sent>(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  {
    creation,
    save,
  }: {
    creation: Creation<Sent>
    save(tx: WriteTx, item: CreatedItem<Sent>, state: { isCached: boolean }): Promise<void>
  },
): Promise<CreatedItem<Sent> & { latest: TrackerItem | null }> {
  await removeLeftMarkers(ctx)
  const claim = await claimCreation(ctx, creation)
  const created = await findOrSend(ctx, link, creation, claim)
  // If this fails, the marker stays, so that the next call finds the item.
  const marked = { ...claim.stored, key: `marked:${claim.stored.marker}`, itemId: created.id }
  await ctx.db.write(async (tx) => {
    await deleteCreation(tx, creation.key)
    await saveCreation(tx, marked)
    await save(tx, created, { isCached: false })
  })
  const { latest, isMarked } = await finishCreation(ctx, link, { created, marker: claim.stored.marker })
  await ctx.db.write(async (tx) => {
    if (!isMarked) await deleteCreation(tx, marked.key)
    if (latest !== null) await save(tx, { ...created, item: latest }, { isCached: true })
  })
  return { ...created, latest }
}

/** Removes the markers that earlier calls could not remove. Those that cannot be removed now either stay for the next call. */
export async function removeLeftMarkers(ctx: TrackerWorkspaceContext): Promise<void> {
  const left = await ctx.db.read(listMarkedItems)
  if (left.length === 0) return
  const itemIds = left.map(({ itemId }) => itemId)
  for (const { name, ids } of await groupByTracker(ctx, itemIds)) {
    try {
      const link = await openTrackerLink(ctx, name === null ? {} : { name })
      for (const { key, itemId, marker } of left.filter((one) => ids.includes(one.itemId))) {
        const { isMarked } = await finishCreation(ctx, link, { created: { id: itemId, item: null }, marker })
        if (!isMarked) await ctx.db.write((tx) => deleteCreation(tx, key))
      }
    } catch (error) {
      // The caller has other work to do, or has done it.
      ctx.log.warn('markers of created items could not be removed', { items: ids, cause: error })
    }
  }
}

/** The exclusive right to create an item for some time. */
interface Claim {
  stored: StoredCreation
  item: NewItem
  /** Whether an earlier call may have created the item. */
  isRepeated: boolean
}

/** Stores the marker, or takes over that of an earlier call. Throws `conflict` while another call may be creating the item. */
async function claimCreation(
  ctx: TrackerWorkspaceContext,
  { key, activity, prepared, sent, requireAllowed }: Creation<unknown>,
): Promise<Claim> {
  const now = ctx.clock.now()
  const marker = ctx.ids.uuid()
  return ctx.db.write(async (tx) => {
    await requireAllowed?.(tx)
    const earlier = await findCreation(tx, key)
    if (earlier !== null && Date.parse(earlier.claimedUntil) > now) throw createBusyError(activity, earlier, now)
    const stored = {
      key,
      marker: earlier?.marker ?? marker,
      type: earlier?.type ?? prepared.type,
      startedAt: earlier?.startedAt ?? formatInstant(now),
      claimedUntil: formatInstant(now + LEASE_MS),
      sent: earlier === null ? sent : earlier.sent,
      itemId: null,
    }
    await saveCreation(tx, stored)
    const item = { ...prepared, marker: stored.marker, startedAt: Date.parse(stored.startedAt) }
    return { stored, item, isRepeated: earlier !== null }
  })
}

/**
 * Finds the item of an earlier call, or sends it. After an error, the next call may start at once. It looks for the item first, because what
 * answered with an error need not be the tracker.
 */
async function findOrSend<Sent>(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { key, activity, sent }: Creation<Sent>,
  { stored, item, isRepeated }: Claim,
): Promise<CreatedItem<Sent>> {
  let latest = stored
  let outcome: CreationOutcome
  try {
    const earlier = isRepeated ? await link.tracker.findCreatedItem({ ...item, type: stored.type }, ctx.signal) : null
    if (earlier !== null) {
      const first = (stored.sent ?? sent) as Sent
      return { id: earlier.id, item: earlier, wasFound: true, sent: first, problem: null }
    }
    if (isRepeated) latest = await renewClaim(ctx, { ...stored, sent }, activity)
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(MAX_SENDING_MS)])
    ctx.progress({ label: 'creating the work item' })
    outcome = await link.tracker.createItem(item, { signal })
  } catch (error) {
    await endClaim(ctx, latest)
    throw error
  }
  if (outcome.status === 'unknown') throw createUnknownError(outcome.message)
  if (outcome.status === 'rejected') {
    await ctx.db.write((tx) => deleteCreation(tx, key))
    throw await createRejectedError(ctx, link.tracker, item.type, outcome)
  }
  return { id: outcome.id!, item: outcome.item, wasFound: false, sent, problem: outcome.problem ?? null }
}

/** Looking for the item may have taken longer than the claim lasts. Throws `conflict` if another call has taken it over. */
async function renewClaim(
  ctx: TrackerWorkspaceContext,
  claimed: StoredCreation,
  activity: string,
): Promise<StoredCreation> {
  const now = ctx.clock.now()
  const renewed = { ...claimed, claimedUntil: formatInstant(now + LEASE_MS) }
  await ctx.db.write(async (tx) => {
    const current = await findCreation(tx, claimed.key)
    if (current?.claimedUntil !== claimed.claimedUntil) throw createBusyError(activity, current ?? claimed, now)
    await saveCreation(tx, renewed)
  })
  return renewed
}

/** Lets the next call begin at once. A claim that another call has taken over stays. */
async function endClaim(ctx: TrackerWorkspaceContext, claimed: StoredCreation): Promise<void> {
  await ctx.db.write(async (tx) => {
    const current = await findCreation(tx, claimed.key)
    if (current?.claimedUntil === claimed.claimedUntil)
      await saveCreation(tx, { ...claimed, claimedUntil: claimed.startedAt })
  })
}

function createBusyError(activity: string, { startedAt, claimedUntil }: StoredCreation, now: number): StudioError {
  const seconds = Math.max(1, Math.ceil((Date.parse(claimedUntil) - now) / 1000))
  return new StudioError(
    'conflict',
    `${activity} since ${startedAt}, or an earlier call ended without a response from the tracker.`,
    { hint: `Try again in ${seconds} s.`, retryAfterSeconds: seconds },
  )
}

/** Also for what the tracker rejects in a dry run. */
export async function createRejectedError(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  type: string,
  rejection: Rejection,
): Promise<StudioError> {
  const advice = 'Check that the parent and the project still exist in the tracker.'
  const details = await describeRejectedFields(ctx, tracker, type, rejection)
  return createRejectionError('The tracker rejected the item, and nothing was created.', rejection, advice, details)
}

function createUnknownError(message: string): StudioError {
  const seconds = LEASE_MS / 1000
  return new StudioError('tracker_timeout', `It is not known whether the tracker created the item. ${message}`, {
    hint: `Repeat the call in ${seconds} s: it then looks for the item before it sends another one.`,
    retryAfterSeconds: seconds,
  })
}
