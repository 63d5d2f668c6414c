import * as z from 'zod'
import {
  givenFieldsInput,
  ItemId,
  nameItems,
  openTrackerLink,
  parseSetFlag,
  removeLeftMarkers,
  separateParent,
  setFlag,
  TRACKER_ERRORS,
  type TrackerChoice,
  TrackerName,
  type TrackerWorkspaceContext,
} from '../../items'
import { hint, operation, StudioError, suggest } from '../../kernel'
import { toArgument } from '../../kernel/text/item-reference'
import { DraftId, type PublicationOutcome, PublishedDraft, ResolvedFields } from '../schemas'
import { addImages } from '../services/add-images'
import { createFromDraft } from '../services/create-from-draft'
import { changeTexts, loadDraftImages } from '../services/draft-images'
import { loadForPublication, type PublicationSource } from '../services/load-for-publication'
import { updateFromDraft } from '../services/update-from-draft'

export const publishDraft = operation({
  id: 'items.publish-draft',
  summary: 'Publish a draft story to the tracker',
  description:
    'Creates a work item from the draft. If the draft was published before, or the call names an item, updates that item instead: it sends only the fields that were changed in the draft since it was copied or published, and the fields that the call sets. Images that are stored with the draft are attached to the item, each once. Text that was removed from the copy stays in the item. If the tracker has other changes of the same text or field, nothing is sent, unless the call settles the conflict. If the response of the tracker is lost, the next call finds the item that was created.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  isExpensive: true,
  input: z.strictObject({
    id: DraftId,
    to: ItemId.optional().describe('The work item to update (default: the one that it was published to, or a new one)'),
    asNew: z.boolean().default(false).describe('Create a work item although the draft was published before'),
    parentId: ItemId.optional().describe('The work item to create the new one below'),
    type: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('Type of the new work item (default: that of the item that was copied)'),
    tracker: TrackerName.optional().describe(
      'Name of another tracker in the settings for the new work item (default: that of the parent, else of the item that was copied)',
    ),
    prefer: z
      .enum(['draft', 'tracker'])
      .optional()
      .describe('Whose version wins where both have changed the same text or field'),
    resolved: ResolvedFields.optional().describe('The values that settle conflicts, by their property'),
    ...givenFieldsInput,
    dryRun: z.boolean().default(false).describe('Send nothing; show the changes and the conflicts'),
  }),
  output: PublishedDraft,
  errors: ['not_found', 'conflict', 'stale_revision', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/stories/{id}/publish', extension: true, withinMs: 10 * 60_000 },
  cli: {
    command: 'draft publish',
    args: ['id'],
    flags: {
      to: { value: 'itemId' },
      parentId: { name: 'parent', value: 'itemId' },
      asNew: { name: 'new' },
      prefer: false,
      resolved: false,
      updates: false,
      fields: false,
    },
    extraFlags: [
      setFlag,
      { flag: '--ours', about: 'Settle conflicts with the version of the draft', standsFor: ['prefer'] },
      { flag: '--theirs', about: 'Settle conflicts with the version of the tracker', standsFor: ['prefer'] },
    ],
    toInput: parseArguments,
    // A script names the one item, so only a person is asked.
    confirm: () => null,
    confirmDryRun: (preview) => askAfterPreview(preview as PublishedDraft),
    examples: [
      'studio draft publish 1 --dry-run',
      'studio draft publish 1 --parent 101 --yes',
      'studio draft publish 1 --set Priority=1 --dry-run',
    ],
    seeAlso: ['copy-sanitize', 'draft edit', 'item create', 'batch-update'],
  },
  async run(ctx: TrackerWorkspaceContext, input): Promise<PublishedDraft> {
    const { id, to, asNew, type, dryRun } = input
    const { links, given } = separateParent(input)
    const parentId = input.parentId ?? links?.parentId ?? undefined
    const prefer =
      input.prefer === undefined ? null : input.prefer === 'draft' ? ('ours' as const) : ('theirs' as const)
    const isForNew = parentId !== undefined || links !== null || type !== undefined
    if (to !== undefined && (asNew || isForNew))
      throw new StudioError('invalid', 'An existing work item is updated, so a parent or type cannot be set.', {
        details: [{ path: 'to', message: 'does not go with a parent, a type, or a new item' }],
      })
    const source = await ctx.db.read((tx) => loadForPublication(tx, { id, to, asNew }))
    const link = await openTrackerLink(ctx, chooseTracker(source, { ...input, parentId }))
    const itemId = source.target?.itemId ?? null
    const images = await loadDraftImages(ctx, { draftId: id, itemId, content: source.content })
    images.requireAccepted(link.tracker)
    const uploads = images.list()
    if (source.target !== null) {
      if (isForNew)
        throw new StudioError(
          'invalid',
          `Draft ${id} was published as work item ${source.target.itemId}, which can only be updated.`,
          {
            hint: hint`To update it: ${suggest('items.publish-draft', { id })}. To create another one: ${suggest('items.publish-draft', { id, asNew: true })}`,
          },
        )
      // The schema has tested the values.
      const resolved = changeTexts((input.resolved ?? {}) as ResolvedFields, (text) => images.withAddresses(text))
      const request = { source, images, target: source.target, prefer, resolved, given, dryRun }
      const outcome = await updateFromDraft(ctx, link, request)
      // Not before, because it makes a new revision of an item.
      if (!dryRun) await removeLeftMarkers(ctx)
      return nameBoth(ctx, outcome, uploads)
    }
    const named = { ...source, content: changeTexts(source.content, (text) => images.withNames(text)) }
    const request = { source: named, images: uploads, type, parentId: parentId ?? null, given, dryRun }
    const created = await createFromDraft(ctx, link, request)
    if (dryRun || uploads.length === 0) return nameBoth(ctx, created, uploads)
    return nameBoth(ctx, await addImages(ctx, link, created), uploads)
  },
})

/** Adds the references of the item and its parent. */
async function nameBoth(
  ctx: TrackerWorkspaceContext,
  outcome: PublicationOutcome,
  uploads: PublishedDraft['uploads'],
): Promise<PublishedDraft> {
  const { itemId, parentId } = outcome
  const nameOf = await nameItems(
    ctx,
    [itemId, parentId].filter((id) => id !== null),
  )
  return {
    ...outcome,
    uploads,
    reference: itemId === null ? null : nameOf(itemId),
    parentReference: parentId === null ? null : nameOf(parentId),
  }
}

/** An item that exists decides, then the name, the parent, and the item that was copied. */
function chooseTracker(
  { target, draft }: PublicationSource,
  { parentId, tracker }: { parentId?: number | undefined; tracker?: string | undefined },
): TrackerChoice {
  const id = target?.itemId ?? parentId ?? (tracker === undefined ? draft.sourceItemId : null)
  return { ids: id === null ? [] : [id], name: tracker }
}

function parseArguments({ ours, theirs, ...words }: Record<string, unknown>): Record<string, unknown> {
  const typed = parseSetFlag(words)
  if (ours === true && theirs === true) throw new StudioError('invalid', 'Specify either --ours or --theirs, not both.')
  if (ours !== true && theirs !== true) return typed
  return { ...typed, prefer: ours === true ? 'draft' : 'tracker' }
}

/** Null if there is nothing to send. The call itself then reports conflicts. */
function askAfterPreview({
  action,
  reference,
  type,
  parentReference,
  changes,
  conflicts,
  draftId,
}: PublishedDraft): string | null {
  if (conflicts.length > 0) return null
  if (action === 'create') {
    return `Create a ${type} from draft ${draftId}${parentReference === null ? '' : ` below ${parentReference}`}?`
  }
  return changes.length === 0 ? null : `Save these changes to work item ${toArgument(reference!)}?`
}
