import { expect, it } from 'vitest'
import { memoizeAsync } from '../../src/kernel/work/memoize-async'

it('makes a value once, and again after a failure', async () => {
  const outcomes = [Promise.reject(new Error('no file handle')), Promise.resolve('made')]
  let count = 0
  const get = memoizeAsync(() => outcomes[count++]!)
  expect(get.current).toBeNull()
  const both = await Promise.allSettled([get(), get()])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect([count, get.current]).toEqual([1, null])
  expect(await Promise.all([get(), get()])).toEqual(['made', 'made'])
  expect(await get()).toBe('made')
  expect(count).toBe(2)
})
