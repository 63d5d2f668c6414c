import {
  createItemNotFoundError,
  createRejectionError,
  createUpdateError,
  describeRejectedFields,
  type FieldChange,
  findCachedItem,
  findFieldsAtRevision,
  type GivenFields,
  type ItemOutcome,
  type ItemVersion,
  saveItem,
  sendUpdates,
  type TextImages,
  type TrackerLink,
  type TrackerWorkspaceContext,
} from '../../items'
import {
  compute,
  createPlanChangedError,
  type ErrorDetail,
  type Hint,
  hint,
  isBoundToPlan,
  StudioError,
  settlePlan,
  suggest,
} from '../../kernel'
import { formatInstant } from '../../kernel/time'
import { describeLocalImages } from '../../rich-text'
import type { TrackerItem } from '../../tracker'
import { savePublication } from '../queries'
import type { Preference } from '../rules/merge-texts'
import type { PublicationConflict, PublicationOutcome, ResolvedFields } from '../schemas'
import { draftTasks } from '../tasks'
import { checkFurtherFields, checkGivenFields, explainOwnFields } from './check-given-fields'
import { changeTexts } from './draft-images'
import type { PublicationSource, PublicationTarget } from './load-for-publication'
import { formatDeleted, listMarkdownFields } from './plan-publication'

/** Attempts to update an item that others change at the same time. */
const MAX_ROUNDS = 3

interface Target extends ItemVersion {
  type: string
  parentId: number | null
  url: string
}

interface UpdateRequest {
  source: PublicationSource
  /** Those of the draft, for this item. */
  images: TextImages
  target: PublicationTarget
  prefer: Preference | null
  resolved: ResolvedFields
  /** Values that the call sets, in place of those of the draft. */
  given: GivenFields
  dryRun: boolean
}

/**
 * Updates the item. Starts from the cached version of it, because the tracker tests the revision of a change, and reads the item only if the
 * tracker has a newer one. A dry run reads it in any case, and caches what it has read, so that what is sent is what was shown.
 */
export async function updateFromDraft(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { source, images, target, prefer, resolved, given, dryRun }: UpdateRequest,
): Promise<PublicationOutcome> {
  const { draft } = source
  const content = changeTexts(source.content, (text) => images.withAddresses(text))
  // What was decided about one version of the item says nothing about the next one.
  const isSettledByHand = target.base === null || Object.keys(resolved).length > 0
  let item =
    (dryRun ? null : await findCachedTarget(ctx, link, target.itemId)) ??
    (await readTarget(ctx, link, target.itemId, draft.id))
  for (let round = 1; ; round++) {
    const fields = await link.tracker.listPropertyFields(item, ctx.signal)
    const set = await checkGivenFields(ctx, link.tracker, { draftId: draft.id, given, properties: fields }, item.type)
    const checking = checkFurtherFields(ctx, link.tracker, { source, properties: fields, set }, item.type)
    const further = await explainOwnFields(source, given, checking)
    const plan = await compute(ctx, draftTasks.planPublication, {
      draftId: draft.id,
      draft: content,
      base: target.base,
      item,
      fields,
      prefer,
      resolved,
      given: set,
      further,
    })
    const { updates, changes, conflicts, seenFields } = plan
    const { id: itemId, rev, url, type, parentId } = item
    const toSend = Object.fromEntries(updates.map(({ field, value }) => [field.referenceName, value]))
    const losses = changes.length === 0 ? [] : await link.tracker.listTextLosses(itemId, toSend, ctx.signal)
    const notes = [...plan.notes, ...losses]
    const answer = {
      draftId: draft.id,
      action: 'update' as const,
      itemId,
      url,
      type,
      parentId,
      changes: images.show(changes),
      notes,
    }
    refuseLocalImages(changes)
    settlePlan(ctx, { itemId, rev, updates, conflicts, notes })
    if (dryRun) return { ...answer, dryRun, rev, conflicts: images.show(conflicts) }
    if (conflicts.length > 0) throw createConflictError(draft.id, item, images.show(conflicts))
    const toPublish = await images.send(link, itemId, { updates, content })
    const sent =
      changes.length === 0
        ? null
        : await sendUpdates(ctx, link, { items: [item], fields: toPublish.updates, again: !isBoundToPlan(ctx) })
    const outcome = sent?.outcomes.get(itemId) ?? { status: 'applied' as const, rev, message: null }
    const latest = sent?.items.findLast((one) => one.id === itemId) ?? null
    if (latest !== null) await saveItem(ctx, link, latest)
    if (outcome.status === 'applied') {
      const publishedAt = formatInstant(ctx.clock.now())
      const publication = { itemId, rev: outcome.rev ?? rev, publishedAt, content: toPublish.content, seenFields }
      const isSaved = await ctx.db.write((tx) => savePublication(tx, draft.id, publication))
      const all = [
        ...notes,
        // What the text loses was said before.
        ...(outcome.message && !losses.includes(outcome.message) ? [outcome.message] : []),
        ...(isSaved ? [] : [formatDeleted(draft.id)]),
      ]
      return { ...answer, notes: all, dryRun, rev: publication.rev, conflicts: [] }
    }
    if (outcome.status === 'conflict' && isBoundToPlan(ctx)) throw createPlanChangedError()
    if (outcome.status !== 'conflict' || latest === null || isSettledByHand || round === MAX_ROUNDS)
      throw createOutcomeError(
        draft.id,
        itemId,
        outcome,
        await describeRejectedFields(ctx, link.tracker, type, outcome),
      )
    item = latest
  }
}

/** Refuses images that the draft has got and that no one else can see. Those that the item has already stay. */
function refuseLocalImages(changes: readonly FieldChange[]): void {
  const details = changes.flatMap(({ field, from, to, storedAs }) => {
    const message = storedAs === null ? null : describeLocalImages(String(to ?? ''), String(from ?? ''))
    return message === null ? [] : [{ path: field, message }]
  })
  if (details.length > 0) throw createUpdateError(details)
}

/** Null if it is not cached from the tracker itself. */
async function findCachedTarget(ctx: TrackerWorkspaceContext, link: TrackerLink, id: number): Promise<Target | null> {
  const found = await ctx.db.read(async (tx) => {
    const cached = await findCachedItem(tx, id)
    const fields = cached && cached.fromFile === null ? await findFieldsAtRevision(tx, id, cached.rev) : null
    return cached && fields ? { cached, fields } : null
  })
  if (found === null) return null
  const { id: itemId, rev, type, parentId, url, description, acceptanceCriteria } = found.cached
  const properties = await link.tracker.listPropertyFields({ fields: found.fields }, ctx.signal)
  const markdownFields = listMarkdownFields(properties, {
    description: description?.format ?? null,
    acceptanceCriteria: acceptanceCriteria?.format ?? null,
  })
  return { id: itemId, rev, type, parentId, url, fields: found.fields, markdownFields }
}

/** Throws `not_found` if the tracker has no such item. */
async function readTarget(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  id: number,
  draftId: number,
): Promise<TrackerItem> {
  ctx.progress({ label: 'reading the work item' })
  const { items } = await link.tracker.getItems([id], { signal: ctx.signal })
  const [item] = items
  if (!item) throw createItemNotFoundError(id, adviseOnMissing(draftId))
  await saveItem(ctx, link, item)
  return item
}

function createConflictError(draftId: number, item: Target, conflicts: readonly PublicationConflict[]): StudioError {
  const names = conflicts.map(({ field }) => field).join(', ')
  const isUndecided = conflicts.every(({ undecided }) => undecided.length > 0)
  return new StudioError(
    'stale_revision',
    isUndecided
      ? `Draft ${draftId} changes words of ${names} beside what was removed from it, and their place in work item ${item.id} is not known. Nothing was sent.`
      : `Draft ${draftId} and work item ${item.id} (revision ${item.rev}) both have changes of ${names}. Nothing was sent.`,
    {
      hint: isUndecided
        ? 'Send the edits anyway (--ours, prefer=draft), which may delete from the work item the text that was removed from the draft next to them. Or leave these fields as they are in the tracker (--theirs, prefer=tracker).'
        : "Choose which version to use for these fields: the draft's (--ours, prefer=draft) or the tracker's (--theirs, prefer=tracker).",
      details: conflicts.map(
        ({ property, field, base, draft, tracker, undecided }): ErrorDetail => ({
          path: property,
          message:
            undecided.length > 0
              ? `The edit of “${undecided.join('”, “')}” is beside what was removed from the draft`
              : `${field} differs in the draft and in the tracker`,
          was: base,
          now: tracker,
          ...(draft === null ? {} : { draft }),
        }),
      ),
    },
  )
}

function createOutcomeError(
  draftId: number,
  id: number,
  outcome: ItemOutcome,
  details: readonly ErrorDetail[],
): StudioError {
  const { status, message } = outcome
  if (status === 'conflict' || status === 'notAttempted') {
    return new StudioError('stale_revision', `Work item ${id} was not updated. ${message}`, {
      hint: status === 'notAttempted' ? 'Run the command again: it reads the item first.' : null,
    })
  }
  if (status === 'unknown') {
    return new StudioError('tracker_timeout', `It is not known whether work item ${id} was updated. ${message}`, {
      hint: 'Run the command again: it compares the item with the draft first.',
    })
  }
  return createRejectionError(`Work item ${id} was not updated.`, outcome, adviseOnMissing(draftId), details)
}

function adviseOnMissing(draftId: number): Hint {
  return hint`To create another work item from the draft: ${suggest('items.publish-draft', { id: draftId, asNew: true })}`
}
