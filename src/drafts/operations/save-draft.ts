import * as z from 'zod'
import { MAX_IMAGE_BODY_BYTES, parseSetFlag, readImageFiles, setFlag, type WorkspaceContext } from '../../items'
import { type ErrorDetail, hint, longText, operation, StudioError, storableText, suggest } from '../../kernel'
import { toRemovals } from '../../kernel/json'
import { formatInstant } from '../../kernel/time'
import type { WriteTx } from '../../storage'
import { changeDraft, findVersionSavedAt, insertDraft } from '../queries'
import {
  applyChanges,
  CONTENT_FIELDS,
  DEFAULT_FOLDER_ID,
  EMPTY_CONTENT,
  extractContent,
  listChangedFields,
  nextInstant,
} from '../rules/draft-content'
import { Draft, type DraftContent, DraftFieldsInput, DraftId, FolderId } from '../schemas'
import { DraftFiles, storeDraftFiles } from '../services/draft-files'
import { requireDraft, requireFolder } from '../services/require-draft'

const Input = z.strictObject({
  id: DraftId.optional().describe('The draft to change (default: creates a new one)'),
  title: storableText(1_000).optional().describe('Title'),
  description: longText().nullable().optional().describe('Description, in Markdown'),
  acceptanceCriteria: longText().nullable().optional().describe('Acceptance criteria, in Markdown'),
  storyPoints: z.number().min(0).nullable().optional().describe('Story points'),
  assignedTo: storableText(1_000).nullable().optional().describe('Assignee'),
  areaPath: storableText(1_000).nullable().optional().describe('Area path'),
  iterationPath: storableText(1_000).nullable().optional().describe('Iteration path'),
  tags: storableText(4_000).nullable().optional().describe('Tags in one text: "a; b"'),
  fields: DraftFieldsInput.nullable()
    .transform((fields) => fields ?? {})
    .optional()
    .describe(
      'Further fields of the tracker by display name, in place of all that the draft has; null or an empty text as a value clears the field of the item when the draft is published',
    ),
  folderId: FolderId.optional().describe(`Folder of the draft (default for a new one: ${DEFAULT_FOLDER_ID})`),
  files: DraftFiles.optional(),
  updatedAt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('The updatedAt that you saw; if the draft was changed since, nothing is saved'),
})

export const saveDraft = operation({
  id: 'drafts.save',
  summary: 'Create a draft story, or change fields of one',
  description:
    'With `id`, only the fields that you send change, and null clears a field: on the command line, an empty text. The previous version stays in the history. If you send the `updatedAt` that you saw and the draft was changed since, the save is refused with a list of those changes.',
  effect: 'write',
  access: 'workspace',
  input: Input,
  fieldNeeds: { areaPath: 'property:areaPath' },
  output: Draft,
  errors: ['not_found', 'stale_revision'],
  http: { method: 'post', path: '/api/stories/save-draft', maxBodyBytes: MAX_IMAGE_BODY_BYTES },
  cli: {
    command: 'draft save',
    // A title can be empty, but it is always a text.
    toInput: parseArguments,
    flags: {
      id: { value: 'id' },
      folderId: { name: 'folder', value: 'id' },
      files: false,
      fields: false,
      updatedAt: { value: 'instant' },
      assignedTo: { value: 'name' },
    },
    extraFlags: [{ ...setFlag, about: `${setFlag.about}; in place of all that the draft has`, standsFor: ['fields'] }],
    file: {
      about: 'Read the fields from JSON, or from Markdown with front matter',
      parse: async (text, name) => (await import('../rules/draft-file')).parseDraftFile(text, name),
    },
    examples: [
      'studio draft save --title "Show late trucks" --story-points 3',
      'studio draft save --id 1 --tags "gate; board"',
      'studio draft save --id 1 --set Priority=2',
    ],
    seeAlso: ['draft edit', 'draft get', 'draft history', 'draft undo'],
  },
  async run(ctx: WorkspaceContext, { id, updatedAt, files = [], ...sent }) {
    const read = await readImageFiles(ctx, files)
    return ctx.db.write(async (tx) => {
      const draft = await saveContent(ctx, tx, { id, updatedAt, sent })
      await storeDraftFiles(ctx, tx, draft.id, read)
      return draft
    })
  },
})

function parseArguments({ title, ...typed }: Record<string, unknown>): Record<string, unknown> {
  const { updates, ...given } = parseSetFlag(typed)
  // A title can be empty, but it is always a text.
  return {
    ...toRemovals(given),
    ...(title === undefined ? {} : { title }),
    ...(updates === undefined ? {} : { fields: updates }),
  }
}

async function saveContent(
  ctx: WorkspaceContext,
  tx: WriteTx,
  { id, updatedAt, sent }: { id: number | undefined; updatedAt: string | undefined; sent: Partial<DraftContent> },
): Promise<Draft> {
  if (sent.folderId !== undefined) await requireFolder(tx, sent.folderId)
  if (id === undefined) return createDraft(tx, sent, formatInstant(ctx.clock.now()))
  const found = await requireDraft(tx, id)
  const { draft } = found
  if (updatedAt !== undefined && Date.parse(updatedAt) !== Date.parse(draft.updatedAt)) {
    const seen = await findVersionSavedAt(tx, id, Date.parse(updatedAt))
    throw createStaleDraftError(draft, updatedAt, seen?.content ?? null)
  }
  const content = applyChanges(extractContent(draft), sent)
  if (listChangedFields(extractContent(draft), content).length === 0) return draft
  return changeDraft(tx, found, { content, at: nextInstant(draft.updatedAt, ctx.clock.now()), restored: null })
}

function createDraft(tx: WriteTx, sent: Partial<DraftContent>, at: string): Promise<Draft> {
  return insertDraft(tx, {
    ...applyChanges(EMPTY_CONTENT, sent),
    sourceItemId: null,
    sourceRev: null,
    createdAt: at,
    updatedAt: at,
  })
}

const MAX_EXCERPT_LENGTH = 60

/**
 * The error for a save that did not see a later change. Its details list each changed field with both values, so that the caller can merge
 * them. `seen` is null if no version has the time that the caller sent.
 */
function createStaleDraftError(now: Draft, seenAt: string, seen: DraftContent | null): StudioError {
  const current = extractContent(now)
  const fields = seen ? listChangedFields(seen, current) : CONTENT_FIELDS
  const details = fields.map((field): ErrorDetail => {
    const was = seen ? `, it was ${quoteValue(seen[field])}` : ''
    return {
      path: field,
      message: `is now ${quoteValue(current[field])}${was}`,
      was: seen?.[field] ?? null,
      now: current[field],
    }
  })
  const what = seen && fields.length > 0 ? ` (${fields.join(', ')})` : ''
  return new StudioError(
    'stale_revision',
    `Draft ${now.id} was changed at ${now.updatedAt}${what}, after ${seenAt}, when you last saw it. Nothing was saved.`,
    {
      hint: hint`Review it, then save again with its new updatedAt: ${suggest('drafts.get', { id: now.id })}`,
      details: [{ path: 'updatedAt', message: `is now ${now.updatedAt}`, was: seenAt, now: now.updatedAt }, ...details],
    },
  )
}

function quoteValue(value: DraftContent[keyof DraftContent]): string {
  const text = typeof value === 'object' && value !== null ? formatFields(value) : String(value ?? '')
  if (text === '') return 'empty'
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_EXCERPT_LENGTH
    ? `“${line.slice(0, MAX_EXCERPT_LENGTH)}…” (${text.length} characters)`
    : `“${line}”`
}

function formatFields(fields: DraftContent['fields']): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value ?? ''}`)
    .join('; ')
}
