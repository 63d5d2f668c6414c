import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isInFolder } from '../../../src/drafts/rules/folder-tree'

/** Each folder lies in an earlier one, or in none. */
const tree = fc
  .array(fc.nat(), { minLength: 1, maxLength: 12 })
  .map((picks) => picks.map((pick, index) => ({ id: index + 1, parentId: pick % (index + 1) || null })))

it('a folder lies within itself and its ancestors, and within nothing else', () => {
  fc.assert(
    fc.property(tree, fc.nat(), fc.nat(), (folders, one, other) => {
      const [from, to] = [folders[one % folders.length]!, folders[other % folders.length]!]
      const path: number[] = []
      for (let at: number | null = from.id; at !== null; at = folders[at - 1]!.parentId) path.push(at)
      expect(isInFolder(folders, from.id, to.id)).toBe(path.includes(to.id))
    }),
  )
})

it('ends also where folders lie in a circle', () => {
  const circle = [
    { id: 1, parentId: 2 },
    { id: 2, parentId: 1 },
  ]
  expect(isInFolder(circle, 1, 3)).toBe(false)
})
