import * as z from 'zod'
import type { SyncMemory } from '../../items'
import { type Context, operation } from '../../kernel'
import { formatInstant, SECOND_MS } from '../../kernel/time'

export const reportHealth = operation({
  id: 'system.health',
  summary: 'Report that the service is running',
  effect: 'read',
  access: 'public',
  input: z.object({}),
  output: z.object({
    status: z.literal('ok'),
    timestamp: z.string().describe('ISO 8601 UTC with milliseconds. Up to a second old.'),
    workItems: z
      .object({
        ageSeconds: z.int().nullable().describe('Since all of them were compared with their tracker; null if never'),
        failure: z.string().nullable().describe('The code of the error of the last sync; null if it succeeded'),
      })
      .nullable()
      .describe('Of the tracker that is behind most; null if this service does not synchronize work items'),
  }),
  errors: [],
  http: { method: 'get', path: '/api/health', cacheForMs: 1_000 },
  run: async ({ clock, syncMemory }: Context & { syncMemory: SyncMemory }) => ({
    status: 'ok' as const,
    timestamp: formatInstant(clock.now()),
    workItems: describeOldest(syncMemory, clock.now()),
  }),
})

/** From the memory of the process, because it also answers when the database does not. Without names and texts, because anyone may ask. */
function describeOldest({ states }: SyncMemory, now: number) {
  if (states === null || states.length === 0) return null
  const times = states.map(({ checkedAt }) => (checkedAt === null ? null : Date.parse(checkedAt)))
  const oldest = Math.min(...times.map((at) => at ?? now))
  return {
    ageSeconds: times.includes(null) ? null : Math.max(0, Math.round((now - oldest) / SECOND_MS)),
    failure: states.find(({ failure }) => failure !== null)?.failure?.code ?? null,
  }
}
