import { compute } from '../../kernel'
import type { MissingItem, TrackerItem } from '../../tracker'
import { type LinkUpdates, listLinkChanges } from '../rules/link-updates'
import { itemTasks } from '../rules/tasks'
import type { FieldUpdate } from '../rules/update-fields'
import type { ItemOutcome } from '../rules/update-plan'
import type { UpdateResult } from '../schemas'
import { findSnapshotConflicts, saveAfterSending } from './reconcile-updates'
import { sendUpdates } from './send-updates'
import type { TrackerLink } from './tracker-identity'
import type { TrackerWorkspaceContext } from './workspace-context'

export interface UpdateRequest {
  items: readonly TrackerItem[]
  missing: readonly MissingItem[]
  /** When the items were read, ISO 8601. */
  at: string
  fields: readonly FieldUpdate[]
  links: LinkUpdates | null
  dryRun: boolean
}

/**
 * Sends checked updates to items, unless another user has changed the same since the snapshots, and saves the items. Returns a result for
 * each item. Throws only if nothing was sent.
 */
export async function applyUpdates(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { items, missing, at, fields, links, dryRun }: UpdateRequest,
): Promise<UpdateResult[]> {
  const outcomes = new Map<number, ItemOutcome>(
    missing.map(({ id, reason }) => [id, { status: 'rejected', rev: null, message: reason }]),
  )
  for (const [id, outcome] of await findSnapshotConflicts(ctx, items, fields, links)) outcomes.set(id, outcome)
  const changes = new Map<number, UpdateResult['changes']>()
  for (const item of items) {
    const inLinks = links ? listLinkChanges(item, links) : []
    changes.set(item.id, [...(await compute(ctx, itemTasks.listFieldChanges, item, fields)), ...inLinks])
  }
  const mergeable = items.filter(({ id }) => !outcomes.has(id))
  if (dryRun)
    for (const item of mergeable) outcomes.set(item.id, { status: 'notAttempted', rev: item.rev, message: 'dry run' })
  else {
    const sent = await sendUpdates(ctx, link, { items: mergeable, fields, links })
    const isSent = sent.outcomes.size > 0
    const problem = await saveAfterSending(ctx, link, { read: items, changed: sent.items, isSent, at, links })
    for (const [id, outcome] of sent.outcomes) {
      const message = problem === null ? outcome.message : [outcome.message, problem].filter(Boolean).join(' ')
      outcomes.set(id, { ...outcome, message })
    }
  }
  return [...outcomes].map(([id, outcome]) => ({ id, ...outcome, changes: changes.get(id) ?? [] }))
}
