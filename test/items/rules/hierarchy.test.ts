import { describe, expect, it } from 'vitest'
import { findParentProblem } from '../../../src/items/rules/hierarchy'

const story = { id: 4, key: '4', type: 'User Story', level: 1 }

describe('a parent', () => {
  it.each([
    ['a level above', { type: 'Task', level: 0 }],
    ['the same level', { type: 'Bug', level: 1 }],
    ['a type that is on no backlog', { type: 'Test Case', level: null }],
  ])('can be of %s', (_, child) => {
    expect(findParentProblem(child, story)).toBeNull()
  })

  it('cannot be of a lower level', () => {
    expect(findParentProblem({ type: 'Feature', level: 2 }, story)).toBe(
      '#4 (User Story) cannot be the parent of an item of type Feature',
    )
  })
})
