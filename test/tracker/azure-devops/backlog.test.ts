import { describe, expect, it } from 'vitest'
import {
  findPointsField,
  indexStateCategories,
  mapBacklogLevels,
  mapStates,
} from '../../../src/tracker/azure-devops/map-process'
import type { WireType } from '../../../src/tracker/azure-devops/wire-schemas'
import { backlog, types } from './fixtures'

describe('the levels of the backlog', () => {
  it('begin with tasks, and the portfolio follows by rank', () => {
    const levels = mapBacklogLevels(backlog)
    expect([...levels].sort((a, b) => a[1] - b[1])).toEqual([
      ['Task', 0],
      ['Defect', 0],
      ['User Story', 1],
      ['Feature', 2],
      ['Epic', 3],
    ])
  })

  it.each([
    ['asTasks', 0],
    ['asRequirements', 1],
    ['AsRequirements', 1],
    ['off', undefined],
  ])('depend on the setting for bugs: %s', (bugsBehavior, level) => {
    expect(mapBacklogLevels({ ...backlog, bugsBehavior }).get('Defect')).toBe(level)
  })

  it('are unknown without the backlog', () => {
    expect(mapBacklogLevels(null).size).toBe(0)
    expect(findPointsField(null)).toBeNull()
  })
})

describe('the points field', () => {
  it('is that of the process', () => {
    expect(findPointsField(backlog)).toBe('Shop.Size')
  })
})

describe("a state's category", () => {
  it('is that of the type, even if the backlog maps it differently', () => {
    const categoryOf = indexStateCategories(types.value as WireType[], backlog)
    expect(categoryOf('User Story', 'Resolved')).toBe('Resolved')
    expect(categoryOf('User Story', 'Removed')).toBe('Removed')
  })

  it('is that of the backlog if the type has none', () => {
    const categoryOf = indexStateCategories([{ name: 'User Story' }], backlog)
    expect(categoryOf('User Story', 'Resolved')).toBe('InProgress')
    expect(categoryOf('Defect', 'Fixed')).toBe('Completed')
  })

  it('is null for an unknown type, state or category', () => {
    const categoryOf = indexStateCategories(types.value as WireType[], backlog)
    expect(categoryOf('User Story', 'Parked')).toBeNull()
    expect(categoryOf('Risk', 'New')).toBeNull()
    expect(mapStates({ name: 'X', states: [{ name: 'A', category: 'Odd' }] }, null)).toEqual([
      { name: 'A', category: null, color: null },
    ])
    expect(mapStates({ name: 'X', states: [{ name: 'A', category: 'In Progress' }] }, null)[0]!.category).toBe(
      'InProgress',
    )
  })
})
