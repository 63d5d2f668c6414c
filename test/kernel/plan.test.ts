import { expect, it } from 'vitest'
import { Plan, settleLongPlan } from '../../src/kernel/plan'
import { isTurnOver } from '../../src/kernel/work/budget'

const settle = async (facts: readonly unknown[]) => {
  const plan = new Plan({ operation: 'x' }, null)
  await settleLongPlan({ plan, signal: new AbortController().signal }, facts)
  return plan.id
}

it('a plan of many facts depends on each of them, and not on the order of their fields', async () => {
  const id = await settle([{ a: 1, b: 'x' }, { a: 2 }])
  expect(await settle([{ b: 'x', a: 1 }, { a: 2 }])).toBe(id)
  expect(await settle([{ a: 1, b: 'y' }, { a: 2 }])).not.toBe(id)
  expect(await settle([{ a: 2 }, { a: 1, b: 'x' }])).not.toBe(id)
})

it('a plan with long texts lets other calls run', async () => {
  let turns = 0
  const count = () => setImmediate(() => ++turns)
  while (!isTurnOver());
  count()
  await settle(Array.from({ length: 3 }, (_, id) => ({ id, text: 'x'.repeat(1000) })))
  expect(turns).toBeGreaterThan(0)
})
