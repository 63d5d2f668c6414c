import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isInFolder } from '../../../src/drafts/operations/update-folder'

/** Each folder is in an earlier one, or at the top level. */
const tree = fc
  .array(fc.nat(), { minLength: 1, maxLength: 12 })
  .map((picks) => picks.map((pick, index) => ({ id: index + 1, parentId: pick % (index + 1) || null })))

it('a folder is in itself and its ancestors, and in no other folder', () => {
  fc.assert(
    fc.property(tree, fc.nat(), fc.nat(), (folders, one, other) => {
      const [from, to] = [folders[one % folders.length]!, folders[other % folders.length]!]
      const path: number[] = []
      for (let at: number | null = from.id; at !== null; at = folders[at - 1]!.parentId) path.push(at)
      expect(isInFolder(folders, from.id, to.id)).toBe(path.includes(to.id))
    }),
  )
})

it('ends if the folders form a cycle', () => {
  const cycle = [
    { id: 1, parentId: 2 },
    { id: 2, parentId: 1 },
  ]
  expect(isInFolder(cycle, 1, 3)).toBe(false)
})
