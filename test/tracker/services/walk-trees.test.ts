import { describe, expect, it } from 'vitest'
import { walkTrees } from '../../../src/tracker/services/list-tree-links'

describe('reading a tree', () => {
  it('is refused if each level has new children without end', async () => {
    let levels = 0
    const reading = walkTrees([1], async ([id], children) => {
      levels += 1
      children.set(id!, [id! + 1])
      return [id! + 1]
    })
    await expect(reading).rejects.toMatchObject({ code: 'tracker_answer' })
    expect(levels).toBe(1000)
  })
})
