import { describe, expect, it } from 'vitest'
import { AsyncMemo, type MemoLifetime } from '../../../src/tracker/services/async-memo'
import { errorOf, never } from '../azure-devops/fixtures'

/** Work that the test completes, with a counter of its starts. */
function workshop(keeping?: MemoLifetime) {
  const runs: { signal: AbortSignal; finish(value: string): void; fail(error: Error): void }[] = []
  const once = new AsyncMemo<string>(
    (signal) =>
      new Promise((resolve, reject) => {
        runs.push({ signal, finish: resolve, fail: reject })
      }),
    keeping,
  )
  return { once, runs }
}

describe('a memoized asynchronous value', () => {
  it('is computed once for all callers, and cached', async () => {
    const { once, runs } = workshop()
    const both = Promise.all([once.get(never), once.get(never)])
    runs[0]!.finish('done')
    expect(await both).toEqual(['done', 'done'])
    expect(await once.get(never)).toBe('done')
    expect(runs).toHaveLength(1)
  })

  it('is computed again when its lifetime is over', async () => {
    let now = 0
    const { once, runs } = workshop({ ms: 100, now: () => now })
    const first = once.get(never)
    runs[0]!.finish('as it was')
    await first
    now = 99
    expect(await once.get(never)).toBe('as it was')
    now = 100
    const second = once.get(never)
    runs[1]!.finish('as it is')
    expect(await second).toBe('as it is')
    expect(runs).toHaveLength(2)
  })

  it('is computed again after a failure', async () => {
    const { once, runs } = workshop()
    const first = errorOf(once.get(never))
    runs[0]!.fail(new Error('not now'))
    expect((await first).message).toBe('not now')
    const second = once.get(never)
    runs[1]!.finish('done')
    expect(await second).toBe('done')
  })

  it('is not aborted if one of several callers aborts', async () => {
    const { once, runs } = workshop()
    const leaver = new AbortController()
    const left = errorOf(once.get(leaver.signal))
    const staying = once.get(never)
    leaver.abort()
    expect(await left).toMatchObject({ code: 'interrupted' })
    expect(runs[0]!.signal.aborted).toBe(false)
    runs[0]!.finish('done')
    expect(await staying).toBe('done')
  })

  it('is aborted when the last caller aborts, and computed again for the next one', async () => {
    const { once, runs } = workshop()
    const [one, two] = [new AbortController(), new AbortController()]
    const left = Promise.all([errorOf(once.get(one.signal)), errorOf(once.get(two.signal))])
    one.abort()
    two.abort()
    await left
    expect(runs[0]!.signal.aborted).toBe(true)
    const next = once.get(never)
    runs[1]!.finish('done')
    expect(await next).toBe('done')
  })

  it('is not computed for a caller that has already aborted', async () => {
    const { once, runs } = workshop()
    expect(await errorOf(once.get(AbortSignal.abort()))).toMatchObject({ code: 'interrupted' })
    expect(runs).toHaveLength(0)
  })
})
