import { finishCreation, prepareNewItem, type TrackerLink, type TrackerWorkspaceContext } from '../../items'
import { hint, StudioError, settlePlan, suggest } from '../../kernel'
import { formatInstant, MINUTE_MS } from '../../kernel/time'
import type { CreationOutcome, ItemProperty, NewItem, ProcessField } from '../../tracker'
import {
  deletePendingCreation,
  findPendingCreation,
  type PendingCreation,
  savePendingCreation,
  savePublication,
} from '../queries'
import type { DraftContent, PublicationOutcome } from '../schemas'
import type { PublicationSource } from './load-for-publication'
import { canSet, formatNotSent, PUBLISHED_PROPERTIES } from './plan-publication'

/** How long another process may take to create an item before it counts as ended. Its requests end earlier. */
const LEASE_MS = 3 * MINUTE_MS
const MAX_SENDING_MS = 2 * MINUTE_MS

interface CreationRequest {
  source: PublicationSource
  type: string | undefined
  parentId: number | null
  dryRun: boolean
}

/**
 * Creates an item from the draft. The marker of the item and the content are saved before it is sent, and stay until the outcome is known. If
 * the call does not learn it, the next one looks for the item with the marker, and sends the draft again only if there is none.
 */
export async function createFromDraft(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { source, type, parentId, dryRun }: CreationRequest,
): Promise<PublicationOutcome> {
  const { draft, content } = source
  const { given, notes: notSent } = listGivenFields(
    source,
    await link.tracker.listPropertyFields({ fields: {} }, ctx.signal),
  )
  const prepared = await prepareNewItem(ctx, link.tracker, {
    type: type ?? source.sourceType ?? requireType(draft.id),
    parentId,
    given: { updates: given },
  })
  settlePlan(ctx, prepared)
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
    if (checked.status === 'rejected') throw createRejectedError(checked.message)
    return { ...answer, itemId: null, rev: null, url: null, notes: notSent }
  }
  const claim = await claimCreation(ctx, draft.id, { prepared, content })
  const { item } = claim
  const outcome = await findOrSend(ctx, link, { draftId: draft.id, claim, content })
  if (outcome.status === 'unknown') throw createUnknownError(outcome.message)
  if (outcome.status === 'rejected') {
    await ctx.db.write((tx) => deletePendingCreation(tx, draft.id))
    throw createRejectedError(outcome.message)
  }
  const itemId = outcome.id!
  const save = (rev: number) =>
    ctx.db.write(async (tx) => {
      await deletePendingCreation(tx, draft.id)
      const publishedAt = formatInstant(ctx.clock.now())
      await savePublication(tx, draft.id, { itemId, rev, publishedAt, content: outcome.content, seenFields: {} })
    })
  // If this fails, the marker stays, so the next call finds the item.
  await save(outcome.item?.rev ?? 1)
  const saved = await finishCreation(ctx, link, { created: { id: itemId, item: outcome.item }, marker: item.marker })
  if (saved !== null) await save(saved.rev)
  const found = outcome.wasFound ? describeFound(outcome.content, content) : []
  const notes = [...notSent, ...found, ...(outcome.problem ? [outcome.problem] : [])]
  return { ...answer, itemId, rev: saved?.rev ?? null, url: saved?.url ?? null, notes }
}

function describeFound(sent: DraftContent, current: DraftContent): string[] {
  const note = 'An earlier call had created this item, and its response was lost.'
  const isSame = PUBLISHED_PROPERTIES.every((property) => sent[property] === current[property])
  return isSame ? [note] : [`${note} It has the text of then: publish the draft again to send what changed since.`]
}

/** The values for which the tracker has fields, and notes about others that the draft has. */
function listGivenFields(
  { content }: PublicationSource,
  fields: ReadonlyMap<ItemProperty, ProcessField>,
): { given: Record<string, unknown>; notes: string[] } {
  const settable = PUBLISHED_PROPERTIES.filter((property) => canSet(fields.get(property)))
  const others = PUBLISHED_PROPERTIES.filter((property) => !settable.includes(property) && content[property])
  return {
    given: Object.fromEntries(settable.map((property) => [property, content[property]])),
    notes: others.map(formatNotSent),
  }
}

/** The exclusive right to create the item of a draft for some time. */
interface Claim {
  item: NewItem
  pending: PendingCreation
  /** Whether an earlier call may have created the item. */
  isRepeated: boolean
}

/** Saves the marker, or takes over that of an earlier call. Throws `conflict` while another call may be creating the item. */
async function claimCreation(
  ctx: TrackerWorkspaceContext,
  draftId: number,
  { prepared, content }: { prepared: Omit<NewItem, 'marker' | 'startedAt'>; content: DraftContent },
): Promise<Claim> {
  const now = ctx.clock.now()
  const marker = ctx.ids.uuid()
  return ctx.db.write(async (tx) => {
    const earlier = await findPendingCreation(tx, draftId)
    if (earlier !== null && Date.parse(earlier.claimedUntil) > now) throw createBusyError(draftId, earlier, now)
    const pending = {
      marker: earlier?.marker ?? marker,
      type: earlier?.type ?? prepared.type,
      startedAt: earlier?.startedAt ?? formatInstant(now),
      claimedUntil: formatInstant(now + LEASE_MS),
      content: earlier === null ? content : earlier.content,
    }
    await savePendingCreation(tx, draftId, pending)
    const item = { ...prepared, marker: pending.marker, startedAt: Date.parse(pending.startedAt) }
    return { item, pending, isRepeated: earlier !== null }
  })
}

/**
 * Finds the item of an earlier call, or sends it. `content` of the result is what the item was created from. After an error, the next call
 * may start at once. It looks for the item first, because what answered with an error need not be the tracker.
 */
async function findOrSend(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { draftId, claim: { item, pending, isRepeated }, content }: { draftId: number; claim: Claim; content: DraftContent },
): Promise<CreationOutcome & { wasFound: boolean; content: DraftContent }> {
  let latest = pending
  try {
    const earlier = isRepeated ? await link.tracker.findCreatedItem({ ...item, type: pending.type }, ctx.signal) : null
    if (earlier !== null) {
      const sent = pending.content ?? content
      return { status: 'created', id: earlier.id, item: earlier, wasFound: true, content: sent }
    }
    latest = { ...pending, content }
    if (isRepeated) await ctx.db.write((tx) => savePendingCreation(tx, draftId, latest))
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(MAX_SENDING_MS)])
    ctx.progress({ label: 'creating the work item' })
    return { ...(await link.tracker.createItem(item, { signal })), wasFound: false, content }
  } catch (error) {
    await ctx.db.write((tx) => savePendingCreation(tx, draftId, { ...latest, claimedUntil: pending.startedAt }))
    throw error
  }
}

function requireType(draftId: number): never {
  throw new StudioError('invalid', `Draft ${draftId} was not copied from a cached work item, so give the type.`, {
    details: [{ path: 'type', message: 'is required' }],
    hint: hint`List the types: ${suggest('items.metadata')}`,
  })
}

function createBusyError(draftId: number, { startedAt, claimedUntil }: PendingCreation, now: number): StudioError {
  const seconds = Math.ceil((Date.parse(claimedUntil) - now) / 1000)
  return new StudioError(
    'conflict',
    `Draft ${draftId} is being published since ${startedAt}, or a call to publish it ended without a response of the tracker.`,
    { hint: `Try again in ${seconds} s.`, retryAfterSeconds: seconds },
  )
}

function createRejectedError(message: string): StudioError {
  return new StudioError('invalid', `The tracker rejected the item, and nothing was created. ${message}`)
}

function createUnknownError(message: string): StudioError {
  const seconds = LEASE_MS / 1000
  return new StudioError('tracker_timeout', `It is not known whether the tracker created the item. ${message}`, {
    hint: `Publish the draft again in ${seconds} s: it then looks for the item before it sends another one.`,
    retryAfterSeconds: seconds,
  })
}
