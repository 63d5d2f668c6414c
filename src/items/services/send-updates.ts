import { StudioError } from '../../kernel'
import type { ChangeOutcome, ItemChange, TrackerItem } from '../../tracker'
import type { ItemVersion } from '../rules/long-text'
import type { FieldUpdate } from '../rules/update-fields'
import { buildItemChange, findConflictingChanges, formatConflict, type ItemOutcome } from '../rules/update-plan'
import type { TrackerWorkspaceContext } from './workspace-context'

/** Attempts to update an item that others change at the same time. */
const MAX_ROUNDS = 3

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
  items: readonly ItemVersion[],
  updates: readonly FieldUpdate[],
): Promise<SendResult> {
  const result: SendResult = { outcomes: new Map(), items: [] }
  const originals = new Map(items.map((item) => [item.id, item]))
  let conflicts = await sendRound(ctx, items, updates, result)
  for (let round = 2; conflicts.length > 0 && round <= MAX_ROUNDS; round++) {
    let pending: readonly number[] = conflicts
    try {
      const mergeable = await rereadConflicts(ctx, conflicts, { originals, updates, result })
      pending = mergeable.map(({ id }) => id)
      conflicts = await sendRound(ctx, mergeable, updates, result)
    } catch (error) {
      if (!(error instanceof StudioError)) throw error
      for (const id of pending.filter((id) => result.outcomes.get(id)?.status !== 'applied')) {
        const { rev } = result.items.findLast((item) => item.id === id) ?? originals.get(id)!
        const message = `Another user changed the item, and it was not sent again: ${error.message}`
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
  items: readonly ItemVersion[],
  updates: readonly FieldUpdate[],
  result: SendResult,
): Promise<number[]> {
  const changes: ItemChange[] = []
  for (const item of items) {
    const change = buildItemChange(item, updates)
    if (change) changes.push(change)
    else result.outcomes.set(item.id, { status: 'applied', rev: item.rev, message: 'had these values already' })
  }
  if (changes.length === 0) return []
  const tracker = await ctx.tracker()
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
  if (outcome.status === 'applied') return { status: 'applied', rev: outcome.item.rev, message: null }
  return { status: outcome.status, rev, message: outcome.message }
}

/** Reads the items in conflict and returns those that can be sent again. */
async function rereadConflicts(
  ctx: TrackerWorkspaceContext,
  ids: readonly number[],
  {
    originals,
    updates,
    result,
  }: { originals: ReadonlyMap<number, ItemVersion>; updates: readonly FieldUpdate[]; result: SendResult },
): Promise<TrackerItem[]> {
  const tracker = await ctx.tracker()
  const { items } = await tracker.getItems(ids, { signal: ctx.signal })
  result.items.push(...items)
  return items.filter((item) => {
    const conflicts = findConflictingChanges(originals.get(item.id)!.fields, item, updates)
    if (conflicts.length === 0) return true
    result.outcomes.set(item.id, { status: 'conflict', rev: item.rev, message: formatConflict(conflicts, item) })
    return false
  })
}
