import { asStudioError, compute, StudioError } from '../../../kernel'
import type { ChangeOutcome, ItemChange, Tracker, TrackerItem } from '../../../tracker'
import { findParentConflict, type LinkedItem } from '../../rules/link-updates'
import type { ItemVersion } from '../../rules/long-text'
import { itemTasks } from '../../rules/tasks'
import type { FieldUpdate } from '../../rules/update-fields'
import { formatConflict, type ItemOutcome, type OtherUpdates } from '../../rules/update-plan'
import type { TrackerLink } from '../tracker-identity'
import type { TrackerWorkspaceContext } from '../workspace-context'

/** Attempts to update an item that others change at the same time. */
const MAX_ROUNDS = 3

/** The links and the tags are needed only to change them. */
type SentItem = ItemVersion & Partial<LinkedItem> & Partial<Pick<TrackerItem, 'tags'>>

/** What all items get, and from which tracker. */
interface Updates extends OtherUpdates {
  tracker: Tracker
  fields: readonly FieldUpdate[]
}

interface SendResult {
  outcomes: Map<number, ItemOutcome>
  /** Items that the tracker returned after a change, by this call or by another user. */
  items: TrackerItem[]
}

/**
 * Sends the updates with a test of each item's revision. If another user changed an item meanwhile, it is read and sent again unless that
 * change affects the same fields. Throws only if nothing was sent: an error in a later round becomes the outcome of the items in it.
 */
export async function sendUpdates(
  ctx: TrackerWorkspaceContext,
  { tracker }: Pick<TrackerLink, 'tracker'>,
  {
    items,
    fields,
    links = null,
    tags = null,
    again = true,
  }: OtherUpdates & {
    items: readonly SentItem[]
    fields: readonly FieldUpdate[]
    /** Whether an item that another user has changed meanwhile may be read and sent again. */
    again?: boolean
  },
): Promise<SendResult> {
  const result: SendResult = { outcomes: new Map(), items: [] }
  const originals = new Map(items.map((item) => [item.id, item]))
  const requested = { tracker, fields, links, tags }
  let conflicts = await sendRound(ctx, items, requested, result)
  const rounds = again ? MAX_ROUNDS : 1
  for (let round = 2; conflicts.length > 0 && round <= rounds; round++) {
    let pending: readonly number[] = conflicts
    try {
      const mergeable = await rereadConflicts(ctx, conflicts, { originals, requested, result })
      pending = mergeable.map(({ id }) => id)
      conflicts = await sendRound(ctx, mergeable, requested, result)
    } catch (error) {
      // Also for a caller that has left, because what was sent before must be saved and reported.
      if (!(error instanceof StudioError)) ctx.log.warn('updates were not sent again', { cause: error })
      const reason = asStudioError(error).message
      for (const id of pending.filter((id) => result.outcomes.get(id)?.status !== 'applied')) {
        const { rev } = result.items.findLast((item) => item.id === id) ?? originals.get(id)!
        const message = `Another user changed the item, and it was not sent again: ${reason}`
        result.outcomes.set(id, { status: 'notAttempted', rev, message })
      }
      return result
    }
  }
  return result
}

/** Returns the IDs in conflict. Their outcome is `conflict` until a later round replaces it. */
async function sendRound(
  ctx: TrackerWorkspaceContext,
  items: readonly SentItem[],
  { tracker, fields, ...others }: Updates,
  result: SendResult,
): Promise<number[]> {
  const changes: ItemChange[] = []
  for (const item of items) {
    const change = await compute(ctx, itemTasks.buildItemChange, item, fields, others)
    const isOfLinks = fields.length === 0 && !others.tags
    const message = isOfLinks ? 'its links needed no change' : 'had these values already'
    if (change) changes.push(change)
    else result.outcomes.set(item.id, { status: 'applied', rev: item.rev, message })
  }
  if (changes.length === 0) return []
  const outcomes = await tracker.updateItems(changes, {
    signal: ctx.signal,
    onProgress: (done, total) => ctx.progress({ label: 'updating work items', done, total }),
  })
  const revs = new Map(items.map((item) => [item.id, item.rev]))
  for (const outcome of outcomes) {
    if (outcome.status === 'applied') result.items.push(outcome.item)
    result.outcomes.set(outcome.id, toItemOutcome(outcome, revs.get(outcome.id) ?? null))
  }
  return outcomes.filter((outcome) => outcome.status === 'conflict').map((outcome) => outcome.id)
}

function toItemOutcome(outcome: ChangeOutcome, rev: number | null): ItemOutcome {
  if (outcome.status === 'applied')
    return { status: 'applied', rev: outcome.item.rev, message: outcome.message ?? null }
  const { id: _id, ...reason } = outcome
  return { rev, ...reason }
}

/** Reads the items in conflict and returns those that can be sent again. */
async function rereadConflicts(
  ctx: TrackerWorkspaceContext,
  ids: readonly number[],
  {
    originals,
    requested: { tracker, fields, links },
    result,
  }: { originals: ReadonlyMap<number, SentItem>; requested: Updates; result: SendResult },
): Promise<TrackerItem[]> {
  const { items } = await tracker.getItems(ids, { signal: ctx.signal })
  result.items.push(...items)
  const mergeable: TrackerItem[] = []
  for (const item of items) {
    const original = originals.get(item.id)!
    const conflicts = [
      ...(await compute(ctx, itemTasks.findConflictingChanges, original.fields, item, fields)),
      ...(links ? findParentConflict(original.parentId, item, links) : []),
    ]
    if (conflicts.length === 0) mergeable.push(item)
    else result.outcomes.set(item.id, { status: 'conflict', rev: item.rev, message: formatConflict(conflicts, item) })
  }
  return mergeable
}
