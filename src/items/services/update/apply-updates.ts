import { compute, isBoundToPlan, StudioError, settleLongPlan } from '../../../kernel'
import type { MissingItem, TagChanges, TrackerItem } from '../../../tracker'
import { type LinkUpdates, listLinkChanges } from '../../rules/link-updates'
import { listTagChanges } from '../../rules/tag-updates'
import { itemTasks } from '../../rules/tasks'
import type { FieldUpdate } from '../../rules/update-fields'
import type { ItemOutcome } from '../../rules/update-plan'
import type { UpdateResult } from '../../schemas'
import type { TextImages } from '../attachments/text-images'
import type { TrackerLink } from '../tracker-identity'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { findSnapshotConflicts, saveAfterSending } from './reconcile-updates'
import { sendUpdates } from './send-updates'

/** What the items of one tracker get. */
export interface UpdateRequest {
  link: TrackerLink
  items: readonly TrackerItem[]
  missing: readonly MissingItem[]
  /** When the items were read, ISO 8601. */
  at: string
  fields: readonly FieldUpdate[]
  links: LinkUpdates | null
  tags?: TagChanges | null
  /** The fields of the one item as the caller saw them (default: those of its last snapshot). */
  seen?: Readonly<Record<string, unknown>>
  /** Those that the fields of the one item show. */
  images?: TextImages
}

interface UpdatePlan extends UpdateRequest {
  /** Of items that are not sent. */
  outcomes: Map<number, ItemOutcome>
  changes: Map<number, UpdateResult['changes']>
  mergeable: readonly TrackerItem[]
}

/**
 * Sends checked updates to items, unless another user has changed the same since the snapshots, and saves the items. All requests are
 * planned before the first is sent. Returns a result for each item. Throws only if nothing was sent.
 */
export async function applyUpdates(
  ctx: TrackerWorkspaceContext,
  requests: readonly UpdateRequest[],
  { dryRun }: { dryRun: boolean },
): Promise<UpdateResult[]> {
  const plans: UpdatePlan[] = []
  for (const request of requests) plans.push(await planUpdates(ctx, request))
  const previews = plans.flatMap(previewOf)
  await settleLongPlan(ctx, previews)
  if (dryRun) return previews
  const results: UpdateResult[] = []
  for (const plan of plans) {
    const sent = await sendPlan(ctx, plan).catch((error: unknown) => {
      // What was sent before must be reported.
      if (!(error instanceof StudioError) || results.length === 0) throw error
      const message = `Not sent: ${error.message}`
      return plan.items.map(({ id, rev }) => ({ id, rev, status: 'notAttempted' as const, message, changes: [] }))
    })
    results.push(...sent)
  }
  return results
}

async function planUpdates(ctx: TrackerWorkspaceContext, request: UpdateRequest): Promise<UpdatePlan> {
  const { items, missing, fields, links, tags, seen, images } = request
  const outcomes = new Map<number, ItemOutcome>(
    missing.map(({ id, reason }) => [id, { status: 'rejected', rev: null, message: reason }]),
  )
  for (const [id, outcome] of await findSnapshotConflicts(ctx, items, { updates: fields, links, seen }))
    outcomes.set(id, outcome)
  const changes: UpdatePlan['changes'] = new Map()
  for (const item of items) {
    const inLinks = links ? listLinkChanges(item, links) : []
    const inTags = tags ? listTagChanges(item, tags) : []
    const inFields = await compute(ctx, itemTasks.listFieldChanges, item, fields)
    changes.set(item.id, [...(images?.show(inFields) ?? inFields), ...inTags, ...inLinks])
  }
  return { ...request, outcomes, changes, mergeable: items.filter(({ id }) => !outcomes.has(id)) }
}

function previewOf({ outcomes, changes, mergeable }: UpdatePlan): UpdateResult[] {
  const planned = mergeable.map(({ id, rev }) => [id, { status: 'notAttempted', rev, message: 'dry run' }] as const)
  return toResults(new Map<number, ItemOutcome>([...outcomes, ...planned]), changes)
}

async function sendPlan(ctx: TrackerWorkspaceContext, plan: UpdatePlan): Promise<UpdateResult[]> {
  const { link, items, at, links, tags, mergeable, changes, images } = plan
  const outcomes = new Map(plan.outcomes)
  const [only] = mergeable
  // A text is sent only with all of its images.
  const fields = images && only ? await images.send(link, only.id, plan.fields) : plan.fields
  const sent = await sendUpdates(ctx, link, { items: mergeable, fields, links, tags, again: !isBoundToPlan(ctx) })
  const isSent = sent.outcomes.size > 0
  const problem = await saveAfterSending(ctx, link, { read: items, changed: sent.items, isSent, at, links })
  for (const [id, outcome] of sent.outcomes) {
    const message = problem === null ? outcome.message : [outcome.message, problem].filter(Boolean).join(' ')
    outcomes.set(id, { ...outcome, message })
  }
  return toResults(outcomes, changes)
}

function toResults(outcomes: ReadonlyMap<number, ItemOutcome>, changes: UpdatePlan['changes']): UpdateResult[] {
  return [...outcomes].map(([id, outcome]) => ({ id, ...outcome, changes: changes.get(id) ?? [] }))
}
