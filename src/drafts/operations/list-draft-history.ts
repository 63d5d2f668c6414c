import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { checkpoint, operation } from '../../kernel'
import { MAX_PART_BYTES } from '../../kernel/chunks'
import { listFormerVersions, listVersionParts } from '../queries'
import { addChangedFields, extractContent, type StoredVersion } from '../rules/draft-content'
import { DraftId, DraftVersion } from '../schemas'
import { requireDraft } from '../services/require-draft'

export const listDraftHistory = operation({
  id: 'drafts.history',
  summary: 'List the versions of a draft story and the changes of each save',
  description:
    'Newest first; the first entry is the current version. All versions are stored until the draft is deleted.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  hasLargeAnswer: true,
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
    const { latest, parts } = await ctx.db.read(async (tx) => {
      const { draft, version, restored } = await requireDraft(tx, id)
      const saved: StoredVersion = { version, savedAt: draft.updatedAt, restored, content: extractContent(draft) }
      return { latest: saved, parts: await listVersionParts(tx, id, MAX_PART_BYTES) }
    })
    const former: StoredVersion[] = []
    // They never change, so that they may be read in several transactions.
    for (const numbers of parts) {
      former.push(...(await ctx.db.read((tx) => listFormerVersions(tx, id, numbers))))
      await checkpoint(ctx)
    }
    return { id, versions: addChangedFields([...former, latest]).reverse() }
  },
})
