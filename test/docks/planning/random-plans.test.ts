import { expect, it } from 'vitest'
import { openDockOffice } from '../dock-fixtures'
import { acceptRandomPlan } from './accept-random-plan'

/** With limits, a low capacity, doors that failed, and parts of plans. The slow test has more of them, also on a server. */
const SEEDS = [3, 6, 11]

it('breaks no rule at random facilities, and changes exactly what it says', async () => {
  let moved = 0
  for (const seed of SEEDS) moved += await acceptRandomPlan(await openDockOffice(), { seed })
  expect(moved).toBeGreaterThan(10)
})
