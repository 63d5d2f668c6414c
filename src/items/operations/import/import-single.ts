import * as z from 'zod'
import { operation, StudioError } from '../../../kernel'
import { ItemId, ItemNote, WorkItem } from '../../schemas'
import { StoredAttachments, storeAttachments, storesAttachments } from '../../services/attachments/store-attachments'
import { importItems } from '../../services/import/import-items'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const importSingle = operation({
  id: 'items.import-single',
  summary: 'Import single work items from the tracker',
  effect: 'mirror',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    ids: z.array(ItemId).min(1).max(1000).optional().describe('Work item IDs to import, without the items below them'),
    id: ItemId.optional().describe('A single ID, instead of ids'),
    attachments: storesAttachments,
  }),
  output: z.object({
    imported: z.array(WorkItem),
    failed: z.array(ItemNote),
    attachments: StoredAttachments.optional().describe('Only with `attachments`'),
  }),
  errors: ['conflict', ...TRACKER_ERRORS],
  http: {
    method: 'post',
    path: '/api/tracker/workitems/import-single',
    example: { ids: [201, 202] },
    withinMs: 30 * 60_000,
  },
  cli: {
    command: 'import',
    whenFlag: 'item',
    flags: { ids: { name: 'item', value: 'id' }, id: false },
    examples: [],
  },
  isPartial: (answer) => answer.failed.length > 0,
  async run(ctx: TrackerWorkspaceContext, { ids, id, attachments }) {
    const requested = [...new Set([...(ids ?? []), ...(id === undefined ? [] : [id])])]
    if (requested.length === 0) {
      throw new StudioError('invalid', 'No work items were named. Pass ids or id.', {
        details: [{ path: 'ids', message: 'is required' }],
      })
    }
    const answer = await importItems(ctx, requested)
    if (!attachments) return answer
    const read = answer.imported.map(({ id }) => id)
    return { ...answer, attachments: await storeAttachments(ctx, read) }
  },
})
