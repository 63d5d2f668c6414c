import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import {
  type Context,
  checkpoint,
  execute,
  operation,
  runAtOnce,
  runInTurns,
  silentLog,
  withinTransaction,
} from '../../src/kernel'
import { Budget } from '../../src/kernel/work/budget'

const context = (signal = new AbortController().signal): Context => ({
  actor: { kind: 'local' },
  clock: { now: () => 0 },
  ids: { uuid: () => '', secret: () => '' },
  log: silentLog,
  signal,
  progress: () => {},
})

/** Computes for this long without a pause. */
function compute(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const dig = (computingMs?: number) =>
  operation({
    id: 'holes.dig',
    summary: 'Dig a hole',
    effect: 'read',
    access: 'workspace',
    input: z.strictObject({ steps: z.int() }),
    output: z.object({ steps: z.int() }),
    errors: [],
    ...(computingMs !== undefined && { computingMs }),
    async run(ctx: Context, { steps }) {
      for (let i = 0; i < steps; i++) {
        compute(10)
        await checkpoint(ctx)
      }
      return { steps }
    },
  })

describe('a call that computes for long', () => {
  it('lets others run between its steps', async () => {
    let othersRan = 0
    const timer = setInterval(() => othersRan++, 1)
    await execute(dig(), { steps: 20 }, context())
    clearInterval(timer)
    expect(othersRan).toBeGreaterThan(1)
  })

  it('has turns of its own, so that others wait for one step however many calls compute', async () => {
    let steps = 0
    const stepsOfTurns: number[] = []
    let timer = setImmediate(function count() {
      stepsOfTurns.push(steps)
      steps = 0
      timer = setImmediate(count)
    })
    function* work() {
      for (let i = 0; i < 5; i++) {
        compute(30)
        steps++
        yield
      }
    }
    await Promise.all(Array.from({ length: 6 }, () => runInTurns(work())))
    clearImmediate(timer)
    // All begin in the first turn.
    const [first, ...later] = [...stepsOfTurns, steps].filter((count) => count > 0)
    expect([first, later]).toEqual([6, Array(24).fill(1)])
  })

  it('is resumed in the same turn as others that need little, so that calls that come later do not overtake it', async () => {
    let turn = 0
    let timer = setImmediate(function count() {
      turn++
      timer = setImmediate(count)
    })
    const turns = new Set<number>()
    function* work() {
      compute(30)
      yield
      turns.add(turn)
    }
    await Promise.all(Array.from({ length: 6 }, () => runInTurns(work())))
    clearImmediate(timer)
    expect(turns.size).toBeLessThan(6)
  })

  it('is refused when it has used up its budget', async () => {
    await expect(execute(dig(50), { steps: 1_000 }, context())).rejects.toMatchObject({
      code: 'too_complex',
      hint: expect.stringContaining('in one call'),
    })
  })

  it('is charged for each of its steps, also if every step takes a turn of its own', async () => {
    const digDeep = operation({
      ...dig(150),
      async run(ctx: Context, { steps }) {
        for (let i = 0; i < steps; i++) {
          compute(60)
          await checkpoint(ctx)
        }
        return { steps }
      },
    })
    await expect(execute(digDeep, { steps: 3 }, context())).rejects.toMatchObject({ code: 'too_complex' })
  })

  it('goes on for a person at a terminal, who can interrupt it', async () => {
    const atTerminal: Context = { ...context(), actor: { kind: 'terminal', tenant: 'default' } }
    expect(await execute(dig(50), { steps: 20 }, atTerminal)).toEqual({ steps: 20 })
  })

  it('is not charged for the time in which it waits', async () => {
    const wait = operation({
      ...dig(20),
      async run(ctx: Context, { steps }) {
        for (let i = 0; i < steps; i++) {
          await new Promise((resolve) => setTimeout(resolve, 10))
          await checkpoint(ctx)
        }
        return { steps }
      },
    })
    expect(await execute(wait, { steps: 10 }, context())).toEqual({ steps: 10 })
  })

  it('stops when its caller leaves', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('gone', 'AbortError')), 1)
    await expect(execute(dig(), { steps: 10_000 }, context(controller.signal))).rejects.toMatchObject({
      code: 'interrupted',
    })
  })
})

describe('a transaction for which others wait', () => {
  const { signal } = new AbortController()
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('ends after its time, in which its pauses count', async () => {
    const call = withinTransaction({ signal, budget: new Budget(20) })
    await expect(checkpoint(call)).resolves.toBeUndefined()
    vi.advanceTimersByTime(30)
    await expect(checkpoint(call)).rejects.toMatchObject({ code: 'too_complex' })
  })

  it('has no limit at a terminal', async () => {
    const call = withinTransaction({ signal, budget: new Budget(Number.POSITIVE_INFINITY) })
    vi.advanceTimersByTime(30)
    await expect(checkpoint(call)).resolves.toBeUndefined()
  })
})

describe('work in steps', () => {
  function* add(numbers: readonly number[], cost: number): Generator<void, number> {
    let sum = 0
    for (const each of numbers) {
      compute(cost)
      sum += each
      yield
    }
    return sum
  }

  it('gives the same result with and without pauses', async () => {
    let othersRan = 0
    const timer = setInterval(() => othersRan++, 1)
    expect(await runInTurns(add([1, 2, 3, 4, 5, 6, 7, 8], 10))).toBe(36)
    clearInterval(timer)
    expect(othersRan).toBeGreaterThan(0)
    expect(runAtOnce(add([1, 2, 3], 0))).toBe(6)
  })
})
