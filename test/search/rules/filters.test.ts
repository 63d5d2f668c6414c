import { describe, expect, it } from 'vitest'
import { passes } from '../../../src/search/rules/filters'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { entity } from '../sample'

const bug = entity(204, 'Door sticks', {
  itemType: 'Bug',
  state: 'Active',
  tags: ['Safety', 'night shift'],
  assignedTo: { displayName: 'Zoë Martin', uniqueName: 'zoe.m@example.com' },
  areaPath: 'Warehouse\\Docks\\North',
  iterationPath: 'Warehouse\\2026\\Sprint 12',
})
const bare = entity(7, 'A draft', { type: 'draft', itemType: null, state: null })

const holds = (query: string, subject = bug) => passes(subject, parseQuery(query, 'zoe.m').filters)

describe('filters', () => {
  it.each([
    'state:active',
    'type:bug',
    'type:devops',
    'tag:safety',
    'tag:"night shift"',
    'assignee:zoe',
    'assignee:"Zoe Martin"',
    'assignee:zoe.m@example.com',
    'assignee:zoe.m',
    'assignee:@me',
    'area:docks',
    'area:docks/north',
    'area:Warehouse\\Docks',
    'iteration:"Sprint 12"',
    '-state:Closed',
    '-no:assignee',
    'state:Closed state:Active',
    'tag:safety tag:"night shift"',
  ])('%s matches', (query) => {
    expect(holds(query)).toBe(true)
  })

  it.each([
    'state:act',
    'type:draft',
    'tag:night',
    'assignee:zo',
    'assignee:"Zoe Miller"',
    'area:dock',
    'area:North\\Docks',
    'iteration:"Sprint 1"',
    '-state:Active',
    'no:assignee',
    'no:tag',
    'tag:safety tag:electric',
    'state:Active -type:bug',
  ])('%s does not match', (query) => {
    expect(holds(query)).toBe(false)
  })

  it.each(['no:state', 'no:type', 'no:assignee', 'no:tag', 'no:area', 'no:iteration', '-assignee:zoe', 'type:draft'])(
    '%s matches an entity without such a value',
    (query) => {
      expect(holds(query, bare)).toBe(true)
    },
  )

  it('matches @me to a whole name, never to a part of one', () => {
    expect(passes(bug, parseQuery('assignee:@me', 'Martin').filters)).toBe(false)
    expect(passes(bug, parseQuery('assignee:@me', 'zoë martin').filters)).toBe(true)
  })
})
