import * as z from 'zod'
import { operation } from '../../../kernel'
import { Instant } from '../../schemas'
import { readSyncStatus } from '../../services/import/sync-status'
import type { WorkspaceContext } from '../../services/workspace-context'

export const reportSync = operation({
  id: 'items.sync-status',
  summary: 'Show how old the cached work items are, and why',
  description:
    'A service synchronizes the work items by itself (`serve.syncEveryMinutes`). For each tracker: when all its items were last compared with it, and why the last sync failed, if it did. Does not call the tracker.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: z.array(
    z.object({
      tracker: z.string().describe('Its name in the settings, or default'),
      checkedAt: Instant.nullable().describe('When all its items were last compared with it; null if they never were'),
      ageSeconds: z.int().nullable(),
      failures: z.int().describe('How often the sync of a service has failed since then'),
      failure: z.object({ code: z.string(), text: z.string() }).nullable().describe('Why it failed the last time'),
      nextAt: Instant.nullable().describe('When a service synchronizes it next; null if none has done it yet'),
    }),
  ),
  errors: [],
  http: { method: 'get', path: '/api/helper/sync', extension: true },
  listOrder: () => ({ id: ({ tracker }) => tracker }),
  cli: {
    command: 'item sync-status',
    examples: ['studio item sync-status', 'studio item sync-status --json'],
    seeAlso: ['item sync', 'serve', 'doctor'],
  },
  run: (ctx: WorkspaceContext) => readSyncStatus(ctx.db, ctx.clock.now()),
})
