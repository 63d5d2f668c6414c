import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { checkpoint, operation } from '../../kernel'
import { MAX_PART_BYTES } from '../../kernel/work/chunks'
import { findFormerVersions, listVersionParts } from '../queries'
import { addChangedFields, extractContent, type StoredVersion, shareTexts } from '../rules/draft-content'
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
      const found = await ctx.db.read(async (tx) => {
        const versions = await findFormerVersions(tx, id, numbers)
        // They are deleted with the draft.
        if (versions.length < numbers.length) await requireDraft(tx, id)
        return versions
      })
      for (const version of found) former.push(shareTexts(former.at(-1), version))
      await checkpoint(ctx)
    }
    return { id, versions: addChangedFields([...former, shareTexts(former.at(-1), latest)]).reverse() }
  },
})
