import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunksOf } from '../../../src/kernel/work/chunks'
import { mapConcurrently } from '../../../src/tracker/services/requests/map-concurrently'
import { errorOf, never } from '../azure-devops/fixtures'

describe('concurrent work', () => {
  it('returns results in the order of the inputs, with limited concurrency', async () => {
    let running = 0
    let most = 0
    const results = await mapConcurrently([5, 1, 4, 2, 3, 0], { limit: 2, signal: never }, async (turns) => {
      running += 1
      most = Math.max(most, running)
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      running -= 1
      return turns * 10
    })
    expect(results).toEqual([50, 10, 40, 20, 30, 0])
    expect(most).toBe(2)
  })

  it('starts nothing after a failure, aborts running work, and throws the original error', async () => {
    const begun: number[] = []
    const error = await errorOf(
      mapConcurrently([0, 1, 2, 3], { limit: 2, signal: never }, async (input, signal) => {
        begun.push(input)
        if (input === 1) throw new Error('the first failure')
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      }),
    )
    expect(error.message).toBe('the first failure')
    expect(begun).toEqual([0, 1])
  })

  it('passes the abort signal of the caller on', async () => {
    const caller = new AbortController()
    const error = await errorOf(
      mapConcurrently([0], { limit: 1, signal: caller.signal }, async (_, signal) => {
        caller.abort()
        signal.throwIfAborted()
      }),
    )
    expect(error.name).toBe('AbortError')
  })
})

describe('chunks', () => {
  it('contain all entries in order, at most the given size each', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), (list, size) => {
        const chunks = chunksOf(list, size)
        expect(chunks.flat()).toEqual(list)
        expect(chunks.every((chunk) => chunk.length > 0 && chunk.length <= size)).toBe(true)
      }),
    )
  })
})
