import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateMemory, type PostingList } from '../../../src/search/file-index/posting-list'
import { LruCache } from '../../../src/search/file-index/segment'

describe('an LRU cache', () => {
  it('keeps the most recently used entries within its limit', () => {
    const recent = new LruCache<string, number>(10, (size) => size)
    recent.set('a', 4)
    recent.set('b', 4)
    expect(recent.get('a')).toBe(4)
    recent.set('c', 4)
    expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([4, undefined, 4])
  })

  it('counts the overhead of each list, which is larger than most lists', () => {
    const recent = new LruCache<number, PostingList>(100_000, estimateMemory)
    for (let i = 0; i < 1_000; i++) {
      recent.set(i, { documents: new Uint16Array(50).fill(i), steps: [{ step: 1, end: 50 }] })
    }
    const held = Array.from({ length: 1_000 }, (_, i) => recent.get(i)).filter((list) => list !== undefined)
    expect(held).toHaveLength(200)
  })

  it('never exceeds its limit, and returns only stored values', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 12 }))), (steps) => {
        const recent = new LruCache<number, { key: number; size: number }>(10, ({ size }) => size)
        for (const [key, size] of steps) {
          const known = recent.get(key)
          if (known === undefined) expect(recent.set(key, { key, size })).toEqual({ key, size })
          else expect(known.key).toBe(key)
          const held = Array.from({ length: 10 }, (_, i) => recent.get(i)).filter((value) => value !== undefined)
          expect(held.reduce((sum, value) => sum + value.size, 0)).toBeLessThanOrEqual(10)
        }
      }),
    )
  })
})
