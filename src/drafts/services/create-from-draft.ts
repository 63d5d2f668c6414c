import {
  type CreatedItem,
  createOnce,
  createRejectedError,
  type FieldUpdate,
  type GivenFields,
  listFieldChanges,
  type PreparedItem,
  prepareNewItem,
  type TrackerLink,
  type TrackerWorkspaceContext,
} from '../../items'
import { hint, StudioError, settlePlan, suggest } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { ReadTx } from '../../storage'
import type { ItemProperty, ProcessField } from '../../tracker'
import { creationKeyOf, listPublications, savePublication } from '../queries'
import { listChangedFields } from '../rules/draft-content'
import type { DraftContent, PublicationOutcome } from '../schemas'
import { checkGivenFields, explainOwnFields, selectFurtherFields } from './check-given-fields'
import type { PublicationSource } from './load-for-publication'
import { canSet, formatDeleted, formatNotSent, hasNoPlaceFor, PUBLISHED_PROPERTIES } from './plan-publication'
import { requireDraft } from './require-draft'

interface CreationRequest {
  /** With the name of each image that is attached after the item was created. */
  source: PublicationSource
  /** Those images. */
  images: readonly { name: string; sha256: string }[]
  type: string | undefined
  parentId: number | null
  /** Values that the call sets, in place of those of the draft. */
  given: GivenFields
  dryRun: boolean
}

/** Creates an item from the draft, once. */
export async function createFromDraft(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { source, images, type, parentId, given, dryRun }: CreationRequest,
): Promise<PublicationOutcome> {
  const { draft, content } = source
  const { prepared, set, notes: notSent } = await prepareFromDraft(ctx, link, { source, type, parentId, given })
  settlePlan(ctx, { tracker: await link.tracker.resolveIdentity(ctx.signal), ...prepared, notes: notSent, images })
  const answer = {
    dryRun,
    draftId: draft.id,
    action: 'create' as const,
    type: prepared.type,
    parentId,
    changes: prepared.changes,
    conflicts: [],
  }
  if (dryRun) {
    const item = { ...prepared, marker: ctx.ids.uuid(), startedAt: ctx.clock.now() }
    const checked = await link.tracker.createItem(item, { signal: ctx.signal, validateOnly: true })
    if (checked.status === 'rejected') throw await createRejectedError(ctx, link.tracker, prepared.type, checked)
    return { ...answer, itemId: null, rev: null, url: null, notes: notSent }
  }
  let isDeleted = false
  const created = await createOnce(ctx, link, {
    creation: {
      key: creationKeyOf(draft.id),
      activity: `Draft ${draft.id} is being published`,
      prepared,
      sent: content,
      requireAllowed: (tx) => requireNotPublishedSince(tx, source),
    },
    save: async (tx, { id: itemId, item, sent }, { isCached }) => {
      const publishedAt = formatInstant(ctx.clock.now())
      // If this ends before the item is cached, the next call compares it with these.
      const seenFields = isCached ? {} : (item?.fields ?? {})
      const publication = { itemId, rev: item?.rev ?? 1, publishedAt, content: sent, seenFields }
      isDeleted = !(await savePublication(tx, draft.id, publication))
    },
  })
  const { id: itemId, latest, problem } = created
  const found = latest && created.wasFound ? listFieldChanges(latest, set).map(({ field }) => field) : []
  const notes = [...notSent, ...describeFound(created, content), ...(problem === null ? [] : [problem])]
  if (found.length > 0)
    notes.push(`It may have other values of ${found.join(', ')}: publish the draft again to set them.`)
  if (isDeleted) notes.push(formatDeleted(draft.id))
  return { ...answer, itemId, rev: latest?.rev ?? null, url: latest?.url ?? null, notes }
}

/** Throws `conflict` if another call has published the draft to an item since it was loaded, and `not_found` if it was deleted. */
async function requireNotPublishedSince(tx: ReadTx, { draft, publications }: PublicationSource): Promise<void> {
  await requireDraft(tx, draft.id)
  const [latest, ...others] = await listPublications(tx, draft.id)
  if (latest === undefined || others.length < publications) return
  throw new StudioError('conflict', `Another call has published draft ${draft.id} as work item ${latest.itemId}.`, {
    hint: hint`Look at what publishing it again would do: ${suggest('items.publish-draft', { id: draft.id, dryRun: true })}`,
  })
}

/** The checked item that the draft becomes, without sending anything. Throws `invalid` with all that is wrong. */
export function prepareFromDraft(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  request: Pick<CreationRequest, 'source' | 'type' | 'parentId' | 'given'>,
): Promise<PreparedFromDraft> {
  return explainOwnFields(request.source, request.given, prepare(ctx, link, request))
}

interface PreparedFromDraft {
  prepared: PreparedItem
  set: FieldUpdate[]
  notes: string[]
}

async function prepare(
  ctx: TrackerWorkspaceContext,
  { tracker }: TrackerLink,
  { source, type, parentId, given }: Pick<CreationRequest, 'source' | 'type' | 'parentId' | 'given'>,
): Promise<PreparedFromDraft> {
  const { draft } = source
  const properties = await tracker.listPropertyFields({ fields: {} }, ctx.signal)
  const set = await checkGivenFields(ctx, tracker, { draftId: draft.id, given, properties }, null)
  const { values, updates } = await selectFurtherFields(ctx, tracker, { source, properties, set })
  const { own, notes } = listOwnFields(source, properties, [...set, ...updates])
  const prepared = await prepareNewItem(ctx, tracker, {
    type: type ?? source.sourceType ?? requireType(draft.id),
    parentId,
    given: { ...given, fields: { ...values, ...given.fields }, own },
  })
  return { prepared, set, notes }
}

function describeFound({ wasFound, sent }: CreatedItem<DraftContent>, current: DraftContent): string[] {
  if (!wasFound) return []
  const note = 'An earlier call had created this item, and its response was lost.'
  const isSame = listChangedFields(sent, { ...current, folderId: sent.folderId }).length === 0
  return isSame ? [note] : [`${note} It has the text of that time: publish the draft again to send later changes.`]
}

/** The values for which the tracker has fields and which the call does not set, and notes about others that the draft has. */
function listOwnFields(
  { content }: Pick<PublicationSource, 'content'>,
  fields: ReadonlyMap<ItemProperty, ProcessField>,
  set: readonly FieldUpdate[],
): { own: Record<string, unknown>; notes: string[] } {
  const settable = PUBLISHED_PROPERTIES.filter((property) => canSet(fields.get(property)))
  const others = PUBLISHED_PROPERTIES.filter(
    (property) => !settable.includes(property) && !hasNoPlaceFor(property, fields) && content[property],
  )
  const names = new Set(set.map(({ field }) => field.referenceName))
  const own = settable.filter((property) => !names.has(fields.get(property)!.referenceName))
  return {
    own: Object.fromEntries(own.map((property) => [property, content[property]])),
    notes: others.map(formatNotSent),
  }
}

function requireType(draftId: number): never {
  throw new StudioError('invalid', `Draft ${draftId} was not copied from a cached work item, so specify the type.`, {
    details: [{ path: 'type', message: 'is required' }],
    hint: hint`List the types: ${suggest('items.metadata')}`,
  })
}
