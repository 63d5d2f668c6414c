import { describe, expect, it } from 'vitest'
import { type Blockable, findBlockers } from '../../../src/items/rules/blockers'

const item = (more: Partial<Blockable> = {}): Blockable => ({
  stateCategory: 'InProgress',
  tags: [],
  blockedField: false,
  predecessors: [],
  ...more,
})

describe('findBlockers', () => {
  it('finds nothing without a signal', () => {
    expect(findBlockers(item({ tags: ['unblocked', 'blocked-by-legal'] }))).toEqual([])
  })

  it('finds a tag in any case, the field, and each open predecessor', () => {
    const predecessors = [
      { id: 7, title: 'Photos', stateCategory: 'Proposed' as const },
      { id: 8, title: 'Done', stateCategory: 'Completed' as const },
      { id: 9, title: 'Dropped', stateCategory: 'Removed' as const },
      { id: 10, title: 'Unseen', stateCategory: null },
    ]
    expect(findBlockers(item({ tags: ['BLOCKED'], blockedField: true, predecessors }))).toEqual([
      { by: 'tag', itemId: null, evidence: 'tagged BLOCKED' },
      { by: 'field', itemId: null, evidence: "the tracker's Blocked field is set" },
      { by: 'predecessor', itemId: 7, evidence: 'waits for #7 Photos' },
    ])
  })

  it.each(['Completed', 'Removed'] as const)('finds nothing for an item that is %s', (stateCategory) => {
    expect(findBlockers(item({ stateCategory, tags: ['Blocked'], blockedField: true }))).toEqual([])
  })
})
