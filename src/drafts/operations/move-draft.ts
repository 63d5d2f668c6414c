import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { operation } from '../../kernel'
import { changeDraft } from '../queries'
import { extractContent, nextInstant } from '../rules/draft-content'
import { Draft, DraftId, FolderId } from '../schemas'
import { requireDraft, requireFolder } from '../services/require-draft'

export const moveDraft = operation({
  id: 'drafts.move',
  summary: 'Move a draft story to another folder',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({ id: DraftId, folderId: FolderId.describe('The folder to move it to') }),
  output: Draft,
  errors: ['not_found'],
  http: { method: 'post', path: '/api/stories/move' },
  cli: {
    command: 'draft move',
    args: ['id'],
    flags: { folderId: { name: 'folder', value: 'id' } },
    examples: ['studio draft move 1 --folder 1'],
    seeAlso: ['folder list', 'folder create', 'draft undo'],
  },
  async run(ctx: WorkspaceContext, { id, folderId }) {
    return ctx.db.write(async (tx) => {
      const found = await requireDraft(tx, id)
      await requireFolder(tx, folderId)
      const { draft } = found
      if (draft.folderId === folderId) return draft
      const content = { ...extractContent(draft), folderId }
      return changeDraft(tx, found, { content, at: nextInstant(draft.updatedAt, ctx.clock.now()), restored: null })
    })
  },
})
