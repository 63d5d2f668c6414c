import * as z from 'zod'
import { operation, settlePlan } from '../../../kernel'
import type { ReadTx } from '../../../storage'
import { listFilters, deleteFilter as removeFilter } from '../../queries'
import { requireFilter } from '../../services/filters'
import type { WorkspaceContext } from '../../services/workspace-context'

export const deleteFilter = operation({
  id: 'filters.delete',
  summary: 'Delete a saved filter',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    id: z.int().min(1).describe('Filter ID'),
    dryRun: z.boolean().default(false).describe('Show what would be deleted, and delete nothing'),
  }),
  output: z.object({
    id: z.int(),
    name: z.string(),
    deleted: z.boolean().describe('False for a dry run'),
  }),
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/helper/filters/{id}', extension: true },
  cli: {
    command: 'filter delete',
    args: ['id'],
    examples: ['studio filter delete 1 --yes'],
    seeAlso: ['filter list'],
    confirmDryRun: () => 'Delete the filter?',
  },
  async run(ctx: WorkspaceContext, { id, dryRun }) {
    const find = async (tx: ReadTx) => {
      const found = await requireFilter(tx, String(id), listFilters)
      settlePlan(ctx, found)
      return { id, name: found.name }
    }
    if (dryRun) return { ...(await ctx.db.read(find)), deleted: false }
    return ctx.db.write(async (tx) => {
      const found = await find(tx)
      await removeFilter(tx, id)
      return { ...found, deleted: true }
    })
  },
})
