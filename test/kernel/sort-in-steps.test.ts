import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runAtOnce } from '../../src/kernel'
import { sortInSteps } from '../../src/kernel/work/sort-in-steps'

it('sortInSteps sorts as toSorted does, and leaves the order of equal entries', () => {
  const entries = fc.array(fc.nat(50), { maxLength: 5_000, size: 'max' })
  fc.assert(
    fc.property(entries, (keys) => {
      const list = keys.map((key, place) => ({ key, place }))
      const compare = (a: { key: number }, b: { key: number }) => a.key - b.key
      expect(runAtOnce(sortInSteps(list, compare))).toEqual(list.toSorted(compare))
    }),
    { numRuns: 20 },
  )
})
