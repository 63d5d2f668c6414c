import * as z from 'zod'
import { operation, settlePlan } from '../../../kernel'
import type { ReadTx } from '../../../storage'
import { deleteFilter } from '../../queries'
import { requireView, ViewName } from '../../services/filters'
import type { WorkspaceContext } from '../../services/workspace-context'

export const deleteView = operation({
  id: 'views.delete',
  summary: 'Delete a saved view',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    view: ViewName,
    dryRun: z.boolean().default(false).describe('Show what would be deleted, and delete nothing'),
  }),
  output: z.object({
    id: z.int(),
    name: z.string(),
    deleted: z.boolean().describe('False for a dry run'),
  }),
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/helper/views/{view}', extension: true },
  cli: {
    command: 'view delete',
    args: ['view'],
    examples: ['studio view delete sprint --yes'],
    seeAlso: ['view list'],
    confirmDryRun: () => 'Delete the view?',
  },
  async run(ctx: WorkspaceContext, { view, dryRun }) {
    const find = async (tx: ReadTx) => {
      const found = await requireView(tx, view)
      settlePlan(ctx, found)
      return { id: found.id, name: found.name }
    }
    if (dryRun) return { ...(await ctx.db.read(find)), deleted: false }
    return ctx.db.write(async (tx) => {
      const found = await find(tx)
      await deleteFilter(tx, found.id)
      return { ...found, deleted: true }
    })
  },
})
