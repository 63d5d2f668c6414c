import { describe, expect, it } from 'vitest'
import { withScoreBuffers } from '../../../src/search/file-index/rank-segments'

const zeros = (count: number) => Array<number>(count).fill(0)

describe('the score buffers of a search', () => {
  it('have the requested size and contain no data of the previous search, even if that failed', async () => {
    for (const documents of [5, 3, 0, 9, 4]) {
      const search = withScoreBuffers([documents], async ([buffers]) => {
        const { scores, found, best } = buffers!
        expect(best).toHaveLength(documents)
        expect([[...scores], [...found]]).toEqual([zeros(documents), zeros(documents)])
        for (const numbers of [scores, found, best]) numbers.fill(7)
        throw new Error('failed')
      })
      await expect(search).rejects.toThrow('failed')
    }
  })

  it('are separate for each part of a search, and for a search that runs meanwhile', async () => {
    await withScoreBuffers([4, 4], async ([first, second]) => {
      first!.scores.fill(7)
      await withScoreBuffers([4, 4], async ([other]) => {
        expect([...other!.scores]).toEqual(zeros(4))
        other!.found.fill(7)
      })
      expect([[...first!.found], [...second!.scores]]).toEqual([zeros(4), zeros(4)])
    })
  })
})
