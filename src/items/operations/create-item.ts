import { createHash } from 'node:crypto'
import * as z from 'zod'
import { operation, settlePlan } from '../../kernel'
import type { WriteTx } from '../../storage'
import { changeGivenTexts, listGivenTexts, separateParent } from '../rules/update-fields'
import { FieldChange, ItemId, PlannedUploads, Reference, TrackerName } from '../schemas'
import { IMAGES_OF_TEXTS, ImageFiles, MAX_IMAGE_BODY_BYTES, readImageFiles } from '../services/attachments/image-files'
import { TextImages } from '../services/attachments/text-images'
import { createOnce, createRejectedError } from '../services/create/create-once'
import { createWithImages } from '../services/create/create-with-images'
import { prepareNewItem } from '../services/create/create-work-item'
import { givenFieldsInput, parseSetFlag, setFlag } from '../services/create/given-fields-input'
import { nameItems } from '../services/name-items'
import { openTrackerLink } from '../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

export const createItem = operation({
  id: 'items.create',
  summary: 'Create a work item in the tracker',
  description:
    'The type, the values and the fields that the process requires are checked before anything is sent. Long texts are given in Markdown and converted to HTML. An item with a parent gets the area and iteration of the parent, unless you give others. If the response of the tracker is lost, the item is looked up before it is sent again.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  isExpensive: true,
  input: z.strictObject({
    type: z.string().trim().min(1).max(200).describe('Work item type: Bug, "User Story"'),
    title: z.string().trim().min(1).max(255).describe('Title'),
    parentId: ItemId.optional().describe('The work item to create it below'),
    ...givenFieldsInput,
    tracker: TrackerName.optional().describe(
      'Name of another tracker in the settings (default: that of the parent, else the default tracker)',
    ),
    files: ImageFiles.optional().describe(IMAGES_OF_TEXTS),
    dryRun: z.boolean().default(false).describe('Let the tracker check the item and create nothing'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    id: z.int().nullable().describe('Null for a dry run'),
    reference: Reference.nullable().describe('Its reference, such as #101 or ABC-7; null for a dry run'),
    rev: z.int().nullable().describe('Null for a dry run, and if the item could not be read after it was created'),
    url: z.string().nullable().describe('The web page of the item'),
    type: z.string(),
    parentId: z.int().nullable(),
    parentReference: Reference.nullable(),
    changes: z.array(FieldChange),
    uploads: PlannedUploads,
    notes: z.array(z.string()).describe('What the item may not have, although it was created'),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'post',
    path: '/api/devops/items',
    extension: true,
    maxBodyBytes: MAX_IMAGE_BODY_BYTES,
    example: { type: 'Bug', title: 'Clock is slow', dryRun: true },
  },
  cli: {
    command: 'item create',
    flags: { parentId: { name: 'parent', value: 'id' }, updates: false, fields: false, files: false },
    extraFlags: [setFlag],
    file: {
      about: 'Read the item from JSON, or from Markdown with front matter',
      template: true,
      parse: async (text, name) => (await import('../rules/item-file')).parseItemFile(text, name),
    },
    toInput: parseSetFlag,
    // A script names the one item, so only a person is asked.
    confirm: () => null,
    confirmDryRun: (preview) => {
      const { type, parentReference: parent } = preview as { type: string; parentReference: string | null }
      return `Create this ${type}${parent === null ? '' : ` below ${parent}`}?`
    },
    examples: [
      'studio item create --type Bug --title "The gate clock is slow" --parent 204 --dry-run',
      'studio item create --type Task --title "Order a new clock" --parent 204 --set Priority=1 --yes',
    ],
    seeAlso: ['draft publish', 'item get', 'item metadata', 'batch-update'],
  },
  async run(ctx: TrackerWorkspaceContext, input) {
    const { type, title, updates, fields, dryRun } = input
    const { links, given } = separateParent({ own: { title }, updates, fields })
    const files = await readImageFiles(ctx, input.files ?? [])
    const images = await TextImages.load(ctx, { itemId: null, texts: listGivenTexts(given), files })
    const parentId = input.parentId ?? links?.parentId ?? null
    const link = await openTrackerLink(ctx, { ids: parentId === null ? [] : [parentId], name: input.tracker })
    images.requireAccepted(link.tracker)
    const named = changeGivenTexts(given, (text) => images.withNames(text))
    const { sources, ...prepared } = await prepareNewItem(ctx, link.tracker, { type, parentId, given: named })
    const uploads = images.list()
    const identity = await link.tracker.resolveIdentity(ctx.signal)
    settlePlan(ctx, { tracker: identity, ...prepared, uploads })
    const parentReference = parentId === null ? null : (await nameItems(ctx, [parentId]))(parentId)
    const answer = { dryRun, type: prepared.type, parentId, parentReference, changes: prepared.changes, uploads }
    if (dryRun) {
      const item = { ...prepared, marker: ctx.ids.uuid(), startedAt: ctx.clock.now() }
      const checked = await link.tracker.createItem(item, { signal: ctx.signal, validateOnly: true })
      if (checked.status === 'rejected') throw await createRejectedError(ctx, link.tracker, prepared.type, checked)
      return { ...answer, id: null, reference: null, rev: null, url: null, notes: [] }
    }
    const key = creationKeyOf(identity, {
      type: prepared.type,
      parentId,
      values: { ...given.fields, ...given.updates, title },
    })
    const create = async (save: (tx: WriteTx, id: number) => Promise<void>) =>
      createOnce(ctx, link, {
        creation: { key, activity: 'This work item is being created', prepared, sent: null },
        save: (tx, item) => save(tx, item.id),
      })
    const withImages = { key, given, sources, files }
    const { id, latest, wasFound, problem } =
      uploads.length === 0 ? await create(async () => {}) : await createWithImages(ctx, link, withImages, create)
    return {
      ...answer,
      id,
      reference: (await nameItems(ctx, [id]))(id),
      rev: latest?.rev ?? null,
      url: latest?.url ?? null,
      notes: [
        ...(wasFound ? ['An earlier call had created this item, and its response was lost.'] : []),
        ...(problem === null ? [] : [problem]),
      ],
    }
  },
})

/**
 * The same for a call with the same values, so that a repeated call finds what an earlier one may have created. Values that the item gets from
 * its parent are left out, because the parent may have changed since.
 */
function creationKeyOf(
  tracker: string,
  { type, parentId, values }: { type: string; parentId: number | null; values: Record<string, unknown> },
): string {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  const hash = createHash('sha256').update(JSON.stringify([tracker, type, parentId, sorted]))
  return `item:${hash.digest('base64url')}`
}
