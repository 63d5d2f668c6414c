import { describe, expect, it } from 'vitest'
import { readInHalves } from '../../../src/tracker/services/requests/read-in-halves'
import { errorOf } from '../azure-devops/fixtures'

const tooLarge = new Error('too large')
const isTooLarge = (error: unknown) => error === tooLarge

describe('reading in halves', () => {
  it.each([
    [8, [[1, 2, 3, 4, 5]]],
    [
      3,
      [
        [1, 2, 3],
        [4, 5],
      ],
    ],
    [1, [[1], [2], [3], [4], [5]]],
  ])('takes as few requests as the tracker allows: %i at once', async (limit, expected) => {
    const read: number[][] = []
    const readSome = async (ids: readonly number[]) => {
      if (ids.length > limit) throw tooLarge
      read.push([...ids])
    }
    await readInHalves([1, 2, 3, 4, 5], readSome, isTooLarge)
    expect(read).toEqual(expected)
  })

  it('fails for one that is too large by itself, and for any other error at once', async () => {
    let count = 0
    const failWith = (error: Error) => async () => {
      count += 1
      throw error
    }
    expect(await errorOf(readInHalves([1], failWith(tooLarge), isTooLarge))).toBe(tooLarge)
    count = 0
    const other = new Error('no token')
    expect(await errorOf(readInHalves([1, 2], failWith(other), isTooLarge))).toBe(other)
    expect(count).toBe(1)
  })

  it('sends nothing for no IDs', async () => {
    await readInHalves([], () => Promise.reject(new Error('sent')), isTooLarge)
  })
})
