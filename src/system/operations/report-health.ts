import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import { formatInstant } from '../../kernel/time'

export const reportHealth = operation({
  id: 'system.health',
  summary: 'Report that the service is running',
  effect: 'read',
  access: 'public',
  input: z.object({}),
  output: z.object({
    status: z.literal('ok'),
    timestamp: z.string().describe('ISO 8601 UTC with milliseconds. Up to a second old.'),
  }),
  errors: [],
  http: { method: 'get', path: '/api/health', cacheForMs: 1_000 },
  run: async (ctx: Context) => ({ status: 'ok' as const, timestamp: formatInstant(ctx.clock.now()) }),
})
