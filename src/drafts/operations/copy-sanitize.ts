import * as z from 'zod'
import {
  type ChosenField,
  CustomFieldNames,
  ItemId,
  nameItems,
  readChosenValues,
  requireCustomFields,
  saveFetched,
  TRACKER_ERRORS,
  type TrackerWorkspaceContext,
} from '../../items'
import { compute, inputError, operation, settlePlan, storableText } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import { optionalKinds } from '../../sanitize'
import type { ReadTx } from '../../storage'
import { insertDraft } from '../queries'
import { DEFAULT_FOLDER_ID } from '../rules/draft-content'
import { Draft, FolderId } from '../schemas'
import { readCopySource } from '../services/read-copy-source'
import { requireFolder } from '../services/require-draft'
import { draftTasks } from '../tasks'

export const copySanitize = operation({
  id: 'drafts.copy-sanitize',
  summary: 'Copy a work item into a clean draft',
  description:
    'Converts long texts to Markdown. Removes scripts, styles and editor markup, secrets, links that open only in the tracker, addresses, phone numbers and accounts of people, and the names of people in the workspace; the answer lists what was removed. The work item does not change. If the tracker cannot be reached, or none is configured for the item, the cached revision is copied, and the answer says so.',
  effect: 'write',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    id: ItemId.describe('Work item ID of the original'),
    folderId: FolderId.default(DEFAULT_FOLDER_ID).describe('Folder of the draft'),
    titleSuffix: storableText(100).default('Copy').describe('Text to add to the title, after a dash'),
    also: z
      .array(z.enum(optionalKinds))
      .max(optionalKinds.length)
      .default([])
      .describe('Optional kinds to remove too, besides those of the setting sanitize.also'),
    customFields: CustomFieldNames.default([]).describe(
      'Further fields of the tracker to copy too, by display name, separated by commas; their texts are sanitized, and none is copied unless it is named',
    ),
    cached: z.boolean().default(false).describe('Copy the snapshot without calling the tracker'),
    dryRun: z.boolean().default(false).describe('Show the draft and what would be removed, and save nothing'),
  }),
  output: Draft.extend({
    id: z.int().nullable().describe('Null for a dry run'),
    source: z
      .object({
        stale: z.boolean().describe('True if the snapshot was copied'),
        fetchedAt: z.string().describe('When the original was read from the tracker or a file, ISO 8601'),
        attachments: z.array(z.string()).describe('The names of its files, which are not copied; empty for a snapshot'),
      })
      .describe('The original, of which sourceRev is the revision'),
    sanitization: z.object({
      removed: z.array(z.object({ kind: z.string(), field: z.string(), count: z.int() })),
      excerpts: z
        .array(z.object({ kind: z.string(), field: z.string(), text: z.string() }))
        .describe('The words around the first mark of each kind in each field'),
    }),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/stories/copy-sanitize' },
  cli: {
    command: 'copy-sanitize',
    args: ['id'],
    argumentNames: { id: 'itemId' },
    flags: {
      folderId: { name: 'folder', value: 'id' },
      also: false,
      customFields: { repeatable: true, value: 'fields' },
    },
    extraFlags: [
      {
        flag: '--also <kinds>',
        about: `Optional kinds to remove too, separated by commas: ${optionalKinds.join(', ')}`,
        standsFor: ['also'],
      },
    ],
    toInput: ({ also, ...typed }) =>
      also === undefined
        ? typed
        : {
            ...typed,
            also: String(also)
              .split(/[\s,]+/)
              .filter(Boolean),
          },
    examples: [
      'studio copy-sanitize 204',
      'studio copy-sanitize 204 --dry-run',
      'studio copy-sanitize 204 --cached',
      'studio copy-sanitize 204 --title-suffix "for the vendor"',
      'studio copy-sanitize 204 --also iban,card',
      'studio copy-sanitize 204 --custom-fields "Value Area"',
    ],
    seeAlso: ['draft get', 'draft list', 'item get'],
  },
  async run(ctx: TrackerWorkspaceContext, { id, folderId, titleSuffix, also, cached, dryRun, customFields }) {
    await ctx.db.read((tx) => requireFolder(tx, folderId))
    const chosen = await ctx.db.read((tx) => requireCopiedFields(tx, customFields))
    const at = formatInstant(ctx.clock.now())
    const { item, people, fetched, fields, ...read } = await readCopySource(ctx, { id, cached })
    const { draft, attachments, ...sanitization } = await compute(ctx, draftTasks.createSanitizedCopy, item, {
      titleSuffix,
      people,
      fields: await ctx.db.read((tx) => readChosenValues(tx, { id, fields }, chosen)),
      also: [...ctx.sanitizeAlso, ...also],
    })
    const source = { ...read, attachments }
    settlePlan(ctx, { draft, stale: read.stale })
    const copied = { ...draft, folderId, createdAt: at, updatedAt: at }
    if (dryRun) return { id: null, ...copied, sourceReference: (await nameItems(ctx, [id]))(id), source, sanitization }
    return ctx.db.write(async (tx) => {
      await requireFolder(tx, folderId)
      if (fetched.length > 0) await saveFetched(tx, fetched, at)
      const saved = await insertDraft(tx, copied)
      return { ...saved, source, sanitization }
    })
  },
})

/** Throws `invalid` for fields that are unknown, that name people, or that only the tracker sets. */
async function requireCopiedFields(tx: ReadTx, names: readonly string[]): Promise<ChosenField[]> {
  const chosen = await requireCustomFields(
    tx,
    names.map((name) => ({ name, path: 'customFields' })),
  )
  const refuse = (reason: string, isRefused: (field: ChosenField['fields'][number]) => boolean) =>
    chosen
      .filter(({ fields }) => fields.some(isRefused))
      .map(({ name }) => ({ path: 'customFields', message: `"${name}" ${reason}` }))
  const details = [
    ...refuse('is a person: people are not copied', ({ kind }) => kind === 'identity'),
    ...refuse(
      'is set by the tracker only, so a draft cannot have it',
      ({ kind, readOnly }) => readOnly && kind !== 'identity',
    ),
  ]
  if (details.length > 0) throw inputError(details)
  return chosen
}
