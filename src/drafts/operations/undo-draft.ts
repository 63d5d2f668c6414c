import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { hint, inputError, operation, StudioError, suggest } from '../../kernel'
import { changeDraft, findFormerVersions, folderExists } from '../queries'
import { FIRST_VERSION, findVersionToRestore, nextInstant } from '../rules/draft-content'
import { Draft, DraftId } from '../schemas'
import { requireDraft } from '../services/require-draft'

export const undoDraft = operation({
  id: 'drafts.undo',
  summary: 'Restore a draft story to the version before its last change',
  description:
    'Each undo goes one version further back; `to` restores any version. Versions that are undone stay in the history and can be restored too. If the folder of the version was deleted since, the draft stays in its current folder.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    id: DraftId,
    to: z.int().min(1).optional().describe('The version to restore, as numbered in the history'),
  }),
  output: Draft,
  errors: ['not_found', 'conflict'],
  http: { method: 'post', path: '/api/stories/{id}/undo', extension: true },
  cli: {
    command: 'draft undo',
    args: ['id'],
    flags: { to: { value: 'version' } },
    examples: ['studio draft undo 1', 'studio draft undo 1 --to 2'],
    seeAlso: ['draft history', 'draft get'],
  },
  async run(ctx: WorkspaceContext, { id, to }) {
    return ctx.db.write(async (tx) => {
      const found = await requireDraft(tx, id)
      const { draft } = found
      const target = to ?? findVersionToRestore(found)
      if (target === null) {
        const again = hint`Restore a later version: ${suggest('drafts.undo', { id, to: '<version>' })}`
        throw new StudioError('conflict', `Draft ${id} is already at its first version.`, {
          hint: found.version > FIRST_VERSION ? again : undefined,
        })
      }
      if (target === found.version) return draft
      const [version] = await findFormerVersions(tx, id, [target])
      if (!version) throw inputError([{ path: 'to', message: `must be a version of the draft, 1 to ${found.version}` }])
      const folderId = (await folderExists(tx, version.content.folderId)) ? version.content.folderId : draft.folderId
      const at = nextInstant(draft.updatedAt, ctx.clock.now())
      return changeDraft(tx, found, { content: { ...version.content, folderId }, at, restored: target })
    })
  },
})
