import { StudioError } from '../../kernel'
import type { ChangeOutcome, ItemChange, TrackerItem } from '../../tracker'
import type { ItemOutcome } from '../rules/outcomes'
import type { FieldUpdate } from '../rules/update-fields'
import { buildItemChange, findConflictingChanges, formatConflict } from '../rules/update-plan'
import type { TrackerWorkspaceContext } from './workspace-context'

/** How often an item that others change at the same time is read and sent again. */
const MAX_ROUNDS = 3

/** What became of every item, and those that the tracker has in another shape now. */
export interface SendResult {
  outcomes: Map<number, ItemOutcome>
  items: TrackerItem[]
}

/**
 * Sends the updates with a test of each item's revision. An item that was changed meanwhile is read again, and sent again
 * only where the other change left alone the fields that are to be set. Throws only while nothing was sent: what stops a later round
 * is told of the items that it would have sent.
 */
export async function sendUpdates(
  ctx: TrackerWorkspaceContext,
  items: readonly TrackerItem[],
  updates: readonly FieldUpdate[],
): Promise<SendResult> {
  const sent: SendResult = { outcomes: new Map(), items: [] }
  const originals = new Map(items.map((item) => [item.id, item]))
  let conflicts = await sendRound(ctx, items, updates, sent)
  for (let round = 2; conflicts.length > 0 && round <= MAX_ROUNDS; round++) {
    let pending: readonly number[] = conflicts
    try {
      const mergeable = await rereadConflicts(ctx, conflicts, { originals, updates, sent })
      pending = mergeable.map(({ id }) => id)
      conflicts = await sendRound(ctx, mergeable, updates, sent)
    } catch (error) {
      if (!(error instanceof StudioError)) throw error
      const unsent = pending.filter((id) => sent.outcomes.get(id)?.status !== 'applied')
      for (const id of unsent) sent.outcomes.set(id, toUnsentOutcome(id, error, { originals, sent }))
      return sent
    }
  }
  return sent
}

function toUnsentOutcome(
  id: number,
  error: StudioError,
  { originals, sent }: { originals: ReadonlyMap<number, TrackerItem>; sent: SendResult },
): ItemOutcome {
  const rev = sent.items.findLast((item) => item.id === id)?.rev ?? originals.get(id)!.rev
  const message = `Somebody else has changed the item; it was not sent again: ${error.message}`
  return { status: 'notAttempted', rev, message }
}

/** Sends once; gives the ids of those in conflict, whose outcome stands unless a later round does better. */
async function sendRound(
  ctx: TrackerWorkspaceContext,
  items: readonly TrackerItem[],
  updates: readonly FieldUpdate[],
  sent: SendResult,
): Promise<number[]> {
  const changes: ItemChange[] = []
  for (const item of items) {
    const change = buildItemChange(item, updates)
    if (change) changes.push(change)
    else sent.outcomes.set(item.id, { status: 'applied', rev: item.rev, message: 'had these values already' })
  }
  if (changes.length === 0) return []
  const tracker = await ctx.tracker()
  const outcomes = await tracker.updateItems(changes, {
    signal: ctx.signal,
    onProgress: (done, total) => ctx.progress({ label: 'updating work items', done, total }),
  })
  const revs = new Map(items.map((item) => [item.id, item.rev]))
  for (const outcome of outcomes) {
    if (outcome.status === 'applied') sent.items.push(outcome.item)
    sent.outcomes.set(outcome.id, toOutcome(outcome, revs.get(outcome.id) ?? null))
  }
  return outcomes.filter((outcome) => outcome.status === 'conflict').map((outcome) => outcome.id)
}

function toOutcome(outcome: ChangeOutcome, rev: number | null): ItemOutcome {
  if (outcome.status === 'applied') return { status: 'applied', rev: outcome.item.rev, message: null }
  return { status: outcome.status, rev, message: outcome.message }
}

/** Reads the items in conflict again, and gives back those that may be sent once more. */
async function rereadConflicts(
  ctx: TrackerWorkspaceContext,
  ids: readonly number[],
  base: { originals: ReadonlyMap<number, TrackerItem>; updates: readonly FieldUpdate[]; sent: SendResult },
): Promise<TrackerItem[]> {
  if (ids.length === 0) return []
  const tracker = await ctx.tracker()
  const { items } = await tracker.getItems(ids, { signal: ctx.signal })
  const mergeable: TrackerItem[] = []
  for (const item of items) {
    base.sent.items.push(item)
    const lost = findConflictingChanges(base.originals.get(item.id)!.fields, item, base.updates)
    if (lost.length === 0) mergeable.push(item)
    else base.sent.outcomes.set(item.id, { status: 'conflict', rev: item.rev, message: formatConflict(lost, item) })
  }
  return mergeable
}
