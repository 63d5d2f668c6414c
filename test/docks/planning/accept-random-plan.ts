import { expect } from 'vitest'
import { acceptPlan } from '../../../src/docks/planning/operations/accept-plan'
import { planDay } from '../../../src/docks/planning/operations/plan-day'
import { type DayProblem, planObjectives } from '../../../src/docks/planning/rules/day-problem'
import { type PlanOptions, planDay as planOf } from '../../../src/docks/planning/solver/plan-day'
import { createRandom } from '../../../src/kernel/random'
import type { Database } from '../../../src/storage'
import type { DockOffice } from '../dock-fixtures'
import { expectSoundAcceptance, listBetterDoors, takeSnapshot } from './plan-oracle'
import { createChoices, createRandomSite } from './random-site'

/** A call whose plans take so long, and something that happens between a plan and its acceptance. */
export function planning(
  { ctx }: DockOffice,
  { timeLimitMs = 0, meanwhile }: { timeLimitMs?: number; meanwhile?: () => Promise<unknown> } = {},
): DockOffice['ctx'] {
  const run = (_name: string, [problem, options]: readonly unknown[]) =>
    planOf(problem as DayProblem, { ...(options as PlanOptions), timeLimitMs })
  return { ...ctx, background: { run }, db: meanwhile ? doAfterRead(ctx.db, meanwhile) : ctx.db }
}

/** The database, with something that happens after the first read. */
export function doAfterRead(db: Database, happen: () => Promise<unknown>): Database {
  let hasHappened = false
  const read: Database['read'] = async (work) => {
    const result = await db.read(work)
    if (!hasHappened) {
      hasHappened = true
      await happen()
    }
    return result
  }
  return new Proxy(db, {
    get(target, name) {
      const value = name === 'read' ? read : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/**
 * Plans a random day, and accepts all of the plan, a part of it, or exactly what a preview has shown. Returns how many appointments moved.
 */
export async function acceptRandomPlan(
  office: DockOffice,
  { seed, timeLimitMs }: { seed: number; timeLimitMs?: number },
): Promise<number> {
  const { date } = await createRandomSite(office, { seed })
  const { is, pick, some } = createChoices(createRandom(seed + 1_000))
  // With the solver, the plan depends on the time that it has.
  const ctx = planning(office, { timeLimitMs: timeLimitMs ?? 0 })
  const objective = is(0.4) ? 'on-time' : pick(planObjectives)
  const request = { id: 'DC1', date, objective }
  const before = await takeSnapshot(office)
  const plan = await office.run(planDay, request, ctx)
  const preview = (await office.run(acceptPlan, { ...request, dryRun: true }, ctx)) as { planId?: string }
  expect(await takeSnapshot(office)).toEqual(before)
  if (plan.least !== null && plan.unplaced.length === plan.least.unplaced && objective === 'on-time')
    expect(plan.delayMinutes).toBeGreaterThanOrEqual(plan.least.value)
  const references = plan.moves.map(({ referenceNumber }) => referenceNumber)
  const only = some(references, 0.3)
  const isPart = only.length > 0 && is(0.3)
  const more = isPart ? { only } : timeLimitMs === undefined && is(0.5) ? { planId: preview.planId } : {}
  const report = await office.run(acceptPlan, { ...request, ...more }, ctx)
  const after = await takeSnapshot(office)
  await expectSoundAcceptance(office, { before, after, report, date })
  // Nothing happened meanwhile.
  expect(report.results.filter(({ outcome }) => outcome === 'refused')).toEqual([])
  const done = report.results.map(({ referenceNumber }) => referenceNumber)
  if (isPart) expect(done).toEqual(expect.arrayContaining(only))
  else if (timeLimitMs === undefined) {
    expect(done.sort()).toEqual(references.sort())
    expect((await office.run(planDay, request, ctx)).moves).toEqual([])
    if (objective === 'on-time') expect(listBetterDoors(before, after, { report, date })).toEqual([])
  }
  return report.moved
}
