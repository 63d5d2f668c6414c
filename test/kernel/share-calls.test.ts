import { describe, expect, it } from 'vitest'
import { shareCalls } from '../../src/kernel/work/share-calls'

describe('calls that are shared', () => {
  it('never get a result that was requested before them', async () => {
    const finish: ((value: number) => void)[] = []
    const call = shareCalls(() => new Promise<number>((resolve) => finish.push(resolve)))
    const first = call()
    const [second, third] = [call(), call()]
    expect(finish).toHaveLength(1)
    finish[0]!(1)
    expect(await first).toBe(1)
    await expect.poll(() => finish.length).toBe(2)
    finish[1]!(2)
    expect(await Promise.all([second, third])).toEqual([2, 2])
  })

  it('continue after an error', async () => {
    let count = 0
    const call = shareCalls(async () => {
      if (++count === 1) throw new Error('refused')
      return count
    })
    const [first, second] = [call(), call()]
    await expect(first).rejects.toThrow('refused')
    expect(await second).toBe(2)
  })
})
