import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { operation } from '../../kernel'
import type { WriteTx } from '../../storage'
import { changeDraft, insertDraft, listFormerVersions } from '../queries'
import {
  applyChanges,
  DEFAULT_FOLDER_ID,
  EMPTY_CONTENT,
  extractContent,
  listChangedFields,
  nextInstant,
} from '../rules/draft-content'
import { createStaleDraftError } from '../rules/stale-draft'
import { Draft, type DraftContent, DraftId, FolderId } from '../schemas'
import { draftFields } from '../services/draft-input'
import { requireDraft, requireFolder } from '../services/require-draft'

const Input = z.strictObject({
  id: DraftId.optional().describe('The draft to change; without it a new one is made'),
  ...draftFields,
  folderId: FolderId.optional().describe(`Folder of the draft (a new one: ${DEFAULT_FOLDER_ID} where none is given)`),
  updatedAt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('The updatedAt that you saw: where the draft was changed since, nothing is saved'),
})

export const saveDraft = operation({
  id: 'drafts.save',
  summary: 'Save a draft story: make one, or change the fields that are given',
  description:
    'With `id` only the fields that are sent change, and null empties one. What the draft was stays in its history. Send the `updatedAt` that you know, and a save that did not see a later one is refused with what that one changed.',
  effect: 'write',
  access: 'workspace',
  input: Input,
  output: Draft,
  errors: ['not_found', 'stale_revision'],
  http: { method: 'post', path: '/api/stories/save-draft' },
  cli: {
    command: 'draft save',
    flags: {
      id: { value: 'id' },
      folderId: { name: 'folder', value: 'id' },
      updatedAt: { value: 'instant' },
      assignedTo: { value: 'name' },
    },
    file: {
      about: 'read the fields from JSON, or from Markdown with front matter',
      parse: async (text, name) => (await import('../rules/draft-file')).parseDraftFile(text, name),
    },
    examples: [
      'studio draft save --title "Show late trucks" --story-points 3',
      'studio draft save --id 1 --tags "gate; board"',
    ],
    seeAlso: ['draft edit', 'draft get', 'draft history', 'draft undo'],
  },
  async run(ctx: WorkspaceContext, { id, updatedAt, ...sent }) {
    return ctx.db.write(async (tx) => {
      if (sent.folderId !== undefined) await requireFolder(tx, sent.folderId)
      if (id === undefined) return createDraft(tx, sent, new Date(ctx.clock.now()).toISOString())
      const found = await requireDraft(tx, id)
      const { draft } = found
      if (updatedAt !== undefined && Date.parse(updatedAt) !== Date.parse(draft.updatedAt)) {
        const former = await listFormerVersions(tx, id)
        const seen = former.find(({ savedAt }) => Date.parse(savedAt) === Date.parse(updatedAt))
        throw createStaleDraftError(draft, updatedAt, seen?.content ?? null)
      }
      const content = applyChanges(extractContent(draft), sent)
      if (listChangedFields(extractContent(draft), content).length === 0) return draft
      return changeDraft(tx, found, { content, at: nextInstant(draft.updatedAt, ctx.clock.now()), restored: null })
    })
  },
})

function createDraft(tx: WriteTx, sent: Partial<DraftContent>, at: string): Promise<Draft> {
  return insertDraft(tx, {
    ...applyChanges(EMPTY_CONTENT, sent),
    sourceItemId: null,
    sourceRev: null,
    createdAt: at,
    updatedAt: at,
  })
}
