import * as z from 'zod'
import { operation } from '../../kernel'
import { createUpdateError, parseFieldPairs } from '../rules/update-fields'
import { askAfterPreview } from '../rules/update-plan'
import { ItemId, UpdateResults } from '../schemas'
import { IMAGES_OF_TEXTS, ImageFiles, MAX_IMAGE_BODY_BYTES, readImageFiles } from '../services/attachments/image-files'
import { givenFieldsInput, parseTagFlag, setFlag, TagInput, tagFlag } from '../services/create/given-fields-input'
import { updateByFields } from '../services/update/update-by-fields'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

/** Far more than any item has. */
const MAX_REVISION = 2 ** 31 - 1

export const batchUpdate = operation({
  id: 'items.batch-update',
  summary: 'Change fields of many work items in the tracker',
  description:
    'Write the name of a field in any form: state, State, System.State, "Assigned To". All values are checked against the process before anything is sent, and an item is updated only if its revision is still the expected one. If another user changed an item since its snapshot, both changes are merged by field; if both changed the same field, the item is a conflict and is not sent. An empty value clears a field. The field Parent moves the items below the work item with that ID. Long texts are given in Markdown and converted to HTML where the item stores HTML.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  isExpensive: true,
  input: z.strictObject({
    itemIds: z.array(ItemId).min(1).max(1000).describe('Work item IDs'),
    ...givenFieldsInput,
    tags: TagInput.optional(),
    files: ImageFiles.optional().describe(IMAGES_OF_TEXTS),
    seenRev: z
      .int()
      .min(0)
      .max(MAX_REVISION)
      .optional()
      .describe(
        'For one item: the revision that you saw, of which a snapshot must be stored (default: the last one). Values that it had then are not sent; what others have changed since is kept, or is a conflict',
      ),
    dryRun: z.boolean().default(false).describe('Send nothing; show the changes of each item'),
  }),
  fieldNeeds: { tags: 'property:tags' },
  output: UpdateResults,
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/helper/batch-update', maxBodyBytes: MAX_IMAGE_BODY_BYTES, withinMs: 10 * 60_000 },
  cli: {
    command: 'batch-update',
    args: ['itemIds...'],
    argumentNames: { itemIds: 'itemId' },
    flags: {
      itemIds: { about: 'Work item IDs, or - to read them from standard input' },
      updates: false,
      fields: false,
      tags: false,
      files: false,
      seenRev: false,
    },
    extraFlags: [
      setFlag,
      tagFlag,
      {
        flag: '--query <query>',
        about: 'Update the cached items that a search finds, such as state:Active iteration:"Sprint 24"',
        standsFor: ['itemIds'],
      },
      { flag: '--filter <name>', about: 'Update the cached items that a saved filter or view finds' },
    ],
    toInput: parseArguments,
    confirm: (input) => askConfirmation(input),
    confirmDryRun: askAfterPreview,
    examples: [
      'studio batch-update 343 344 --set State=Active --dry-run',
      'studio batch-update 343 344 --set State=Active --set "Iteration=Sprint 24" --yes',
      'studio batch-update 343 344 --tag +ready,-blocked --dry-run',
      'echo 343 344 | studio batch-update - --set Priority=1 --yes',
      `studio batch-update --query 'state:New type:task' --set Priority=3 --dry-run`,
    ],
    seeAlso: ['item list', 'search', 'view save', 'item metadata', 'item get'],
  },
  isPartial: (answer) => !answer.dryRun && answer.applied < answer.requested,
  async run(ctx: TrackerWorkspaceContext, { itemIds, updates, fields, tags, files = [], seenRev, dryRun }) {
    const images = await readImageFiles(ctx, files)
    const given = { updates, fields }
    return updateByFields(ctx, { ids: [...new Set(itemIds)], given, tags, files: images, seenRev, dryRun })
  },
})

/** Arguments with an equals sign are further pairs of `--set`; the others are IDs. */
function parseArguments({
  set,
  tag,
  itemIds,
  query: _query,
  filter: _filter,
  ...typed
}: Record<string, unknown>): Record<string, unknown> {
  const words = (itemIds as string[] | undefined) ?? []
  const pairs = [...((set as string[] | undefined) ?? []), ...words.filter((word) => word.includes('='))]
  if (pairs.length === 0 && tag === undefined)
    throw createUpdateError([{ path: '--set', message: 'is required: --set Field=Value, or --tag +tag,-tag' }])
  const ids = words.filter((word) => !word.includes('='))
  const updates = pairs.length === 0 ? {} : { updates: parseFieldPairs(pairs) }
  return { ...typed, ...parseTagFlag({ tag }), ...updates, itemIds: [...new Set(ids)] }
}

/** A script names its one item, so only several need `--yes`. */
function askConfirmation(input: Record<string, unknown>): string | null {
  const ids = input['itemIds'] as number[]
  if (input['dryRun'] === true || ids.length < 2) return null
  const fields = Object.entries((input['updates'] ?? {}) as Record<string, unknown>).map(
    ([field, value]) => `${field}=${value}`,
  )
  const tags = (input['tags'] as string[] | undefined) ?? []
  const actions = [
    ...(fields.length > 0 ? [`Set ${fields.join(', ')}`] : []),
    ...(tags.length > 0 ? [`${fields.length > 0 ? 'change' : 'Change'} the tags ${tags.join(', ')}`] : []),
  ]
  return `${actions.join(' and ')} on ${ids.length} work items?`
}
