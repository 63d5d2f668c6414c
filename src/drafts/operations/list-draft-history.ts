import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { operation } from '../../kernel'
import { listFormerVersions } from '../queries'
import { addChangedFields, extractContent } from '../rules/draft-content'
import { DraftId, DraftVersion } from '../schemas'
import { requireDraft } from '../services/require-draft'

export const listDraftHistory = operation({
  id: 'drafts.history',
  summary: 'List the versions of a draft story and the changes of each save',
  description:
    'Newest first; the first entry is the current version. All versions are stored until the draft is deleted.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({ id: DraftId }),
  output: z.object({ id: z.int(), versions: z.array(DraftVersion) }),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/stories/{id}/history', extension: true, cacheable: () => true },
  cli: {
    command: 'draft history',
    args: ['id'],
    examples: ['studio draft history 1'],
    seeAlso: ['draft undo', 'draft get'],
  },
  async run(ctx: WorkspaceContext, { id }) {
    return ctx.db.read(async (tx) => {
      const { draft, version, restored } = await requireDraft(tx, id)
      const latest = { version, savedAt: draft.updatedAt, restored, content: extractContent(draft) }
      return { id, versions: addChangedFields([...(await listFormerVersions(tx, id)), latest]).reverse() }
    })
  },
})
