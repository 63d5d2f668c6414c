import { describe, expect, it } from 'vitest'
import { acquireScoreBuffers } from '../../../src/search/file-index/rank-segments'

describe('the memory of a search', () => {
  it('is as large as asked for, and shows nothing of the search before, however that ended', () => {
    for (const documents of [5, 3, 0, 9, 4]) {
      const { scores, found, best, candidates } = acquireScoreBuffers(0, documents)
      expect([best.length, candidates.length]).toEqual([documents, documents])
      expect([[...scores], [...found]]).toEqual([Array(documents).fill(0), Array(documents).fill(0)])
      for (const numbers of [scores, found, best, candidates]) numbers.fill(7)
    }
  })

  it('is another one for each part of a search', () => {
    const [first, second] = [acquireScoreBuffers(0, 4), acquireScoreBuffers(1, 4)]
    first.scores.fill(7)
    first.found.fill(7)
    expect([[...second.scores], [...second.found]]).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ])
  })
})
