import { describe, expect, it } from 'vitest'
import { acquireScoreBuffers } from '../../../src/search/file-index/rank-segments'

describe('the score buffers of a search', () => {
  it('have the requested size and contain no data of the previous search, even if that failed', () => {
    for (const documents of [5, 3, 0, 9, 4]) {
      const { scores, found, best, candidates } = acquireScoreBuffers(0, documents)
      expect([best.length, candidates.length]).toEqual([documents, documents])
      expect([[...scores], [...found]]).toEqual([Array(documents).fill(0), Array(documents).fill(0)])
      for (const numbers of [scores, found, best, candidates]) numbers.fill(7)
    }
  })

  it('are separate for each part of a search', () => {
    const [first, second] = [acquireScoreBuffers(0, 4), acquireScoreBuffers(1, 4)]
    first.scores.fill(7)
    first.found.fill(7)
    expect([[...second.scores], [...second.found]]).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ])
  })
})
