import { expect, it } from 'vitest'
import { openMetrics } from '../../src/http/metrics'
import { expectValidMetrics } from './valid-metrics'

const call = { env: { call: {} }, body: async (text: string) => text }

it('answer while a database server does not, and ask it once for all requests meanwhile', async () => {
  let asked = 0
  const inspectServer = () => {
    asked++
    return new Promise<never>(() => {})
  }
  const inspectPool = () => ({ open: 3, idle: 1, waiting: 0, max: 10 })
  const { route } = await openMetrics({ inspectServer, inspectPool }, { memory: { states: null }, now: () => 0 })
  const { handler } = route({ actorFor: () => ({ kind: 'terminal', tenant: 'default' }) as never })
  const answers = await Promise.all([1, 2, 3].map(() => handler(call as never, async () => {})))
  for (const text of answers as unknown as string[]) {
    expectValidMetrics(text)
    expect(text).toContain('studio_database_up 0')
    expect(text).toContain('studio_database_pool_connections{state="used"} 2')
    expect(text).not.toMatch(/^studio_database_connections /m)
  }
  expect(asked).toBe(1)
})

it('say how old the work items of each tracker are, and how often their sync has failed', async () => {
  const now = Date.parse('2026-11-02T09:00:00Z')
  const state = {
    trackerId: 1,
    name: null,
    checkedAt: '2026-11-02T08:59:00.000Z',
    failures: 0,
    failure: null,
    dueAt: null,
  }
  const memory = { states: [state, { ...state, name: 'gh', checkedAt: null, failures: 3 }] }
  const { route } = await openMetrics(null, { memory, now: () => now })
  const { handler } = route({ actorFor: () => ({ kind: 'terminal', tenant: 'default' }) as never })
  const text = (await handler(call as never, async () => {})) as unknown as string
  expectValidMetrics(text)
  expect(text).toContain('studio_sync_age_seconds{tracker="default"} 60')
  expect(text).not.toContain('studio_sync_age_seconds{tracker="gh"}')
  expect(text).toContain('studio_sync_failures{tracker="gh"} 3')
})
