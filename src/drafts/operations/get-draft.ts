import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { operation } from '../../kernel'
import { Draft, DraftId } from '../schemas'
import { requireDraft } from '../services/require-draft'

export const getDraft = operation({
  id: 'drafts.get',
  summary: 'Show a draft story',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({ id: DraftId }),
  output: Draft,
  errors: ['not_found'],
  http: { method: 'get', path: '/api/stories/{id}', cacheable: () => true },
  cli: {
    command: 'draft get',
    args: ['id'],
    examples: ['studio draft get 1', 'studio draft get 1 --format md'],
    seeAlso: ['draft list', 'draft edit', 'draft save'],
  },
  async run(ctx: WorkspaceContext, { id }) {
    const { draft } = await ctx.db.read((tx) => requireDraft(tx, id))
    return draft
  },
})
