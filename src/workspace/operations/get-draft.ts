import * as z from 'zod'
import { operation, StudioError } from '../../kernel'
import type { WorkspaceContext } from '../context'
import { findDraft } from '../queries'
import { Draft, DraftId } from '../schemas'

export const getDraft = operation({
  id: 'drafts.get',
  summary: 'Show a draft story',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({ id: DraftId }),
  output: Draft,
  errors: ['not_found'],
  http: { method: 'get', path: '/api/stories/{id}' },
  cli: {
    command: 'draft get',
    args: ['id'],
    examples: ['studio draft get 1', 'studio draft get 1 --json'],
    seeAlso: ['draft list', 'copy-sanitize'],
  },
  async run(ctx: WorkspaceContext, { id }) {
    const draft = await ctx.db.read((tx) => findDraft(tx, id))
    if (draft) return draft
    throw new StudioError('not_found', `There is no draft ${id}.`, { hint: 'See which there are: studio draft list' })
  },
})
