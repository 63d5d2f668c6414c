import * as z from 'zod'
import { deleteCreation, type WorkspaceContext } from '../../items'
import { operation, settlePlan } from '../../kernel'
import type { ReadTx } from '../../storage'
import { creationKeyOf, deleteDraft as removeDraft, type VersionedDraft } from '../queries'
import { DraftId } from '../schemas'
import { requireDraft } from '../services/require-draft'

export const deleteDraft = operation({
  id: 'drafts.delete',
  summary: 'Delete a draft story and its history',
  description: 'The draft and its former versions cannot be restored.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    id: DraftId,
    dryRun: z.boolean().default(false).describe('Show what would be deleted, and delete nothing'),
  }),
  output: z.object({
    id: z.int(),
    title: z.string(),
    versions: z.int().describe('Number of versions, including the current one'),
    deleted: z.boolean().describe('False for a dry run'),
  }),
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/stories/{id}' },
  cli: {
    command: 'draft delete',
    args: ['id'],
    examples: ['studio draft delete 2 --dry-run', 'studio draft delete 2 --yes'],
    seeAlso: ['draft list', 'draft history'],
    confirmDryRun: () => 'Delete the draft permanently?',
  },
  async run(ctx: WorkspaceContext, { id, dryRun }) {
    const find = async (tx: ReadTx) => {
      const found = await requireDraft(tx, id)
      settlePlan(ctx, found)
      return found
    }
    if (dryRun) return toAnswer(await ctx.db.read(find), false)
    return ctx.db.write(async (tx) => {
      const found = await find(tx)
      await removeDraft(tx, id)
      await deleteCreation(tx, creationKeyOf(id))
      return toAnswer(found, true)
    })
  },
})

function toAnswer({ draft, version }: VersionedDraft, deleted: boolean) {
  return { id: draft.id, title: draft.title, versions: version, deleted }
}
