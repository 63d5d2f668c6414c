import { describe, expect, it } from 'vitest'
import { type ItemMapping, mapItem } from '../../../src/tracker/azure-devops/map-item'
import type { WireItem } from '../../../src/tracker/azure-devops/wire-schemas'
import { link, type WireItemParts, wireItem } from './fixtures'

const reading: ItemMapping = {
  pointsField: 'Shop.Size',
  levelOf: (type) => (type === 'User Story' ? 1 : null),
  categoryOf: (type, state) => (type === 'User Story' && state === 'Active' ? 'InProgress' : null),
  pageUrl: (id) => `https://tracker.example/works/Shop/_workitems/edit/${id}`,
  base: 'https://tracker.example/works',
}

const read = (parts: WireItemParts, changed: Partial<ItemMapping> = {}) =>
  mapItem(wireItem(parts) as WireItem, { ...reading, ...changed })

describe('mapping an item', () => {
  it('uses neutral names', () => {
    const fields = {
      'System.State': 'Active',
      'System.AssignedTo': { displayName: 'Ana Ruiz', uniqueName: 'ana@shop.example', descriptor: 'aad.x' },
      'System.AreaPath': 'Parts Shop\\Dock',
      'System.Tags': 'api; Blocked',
      'System.Description': '<p>Text</p>',
      'Microsoft.VSTS.Common.AcceptanceCriteria': '- done',
      'Microsoft.VSTS.Common.Priority': 2,
      'Shop.Size': 5,
    }
    const relations = [
      link('Hierarchy-Reverse', 3),
      link('Dependency-Reverse', 8),
      link('Related', 10),
      link('Dependency-Forward', 9),
      link('Related', 7),
    ]
    const multilineFieldsFormat = { 'Microsoft.VSTS.Common.AcceptanceCriteria': 'Markdown' }
    const item = read({ id: 12, rev: 4, fields, relations, multilineFieldsFormat })
    expect(item).toEqual({
      attachments: [],
      id: 12,
      key: '12',
      rev: 4,
      type: 'User Story',
      level: 1,
      title: 'Item 12',
      state: 'Active',
      stateCategory: 'InProgress',
      assignedTo: { displayName: 'Ana Ruiz', uniqueName: 'ana@shop.example' },
      areaPath: 'Parts Shop\\Dock',
      iterationPath: 'Parts Shop\\Sprint 1',
      tags: ['api', 'Blocked'],
      storyPoints: 5,
      priority: 2,
      parentId: 3,
      predecessorIds: [8],
      successorIds: [9],
      relatedIds: [7, 10],
      blockedField: false,
      description: { format: 'html', text: '<p>Text</p>' },
      acceptanceCriteria: { format: 'markdown', text: '- done' },
      markdownFields: ['Microsoft.VSTS.Common.AcceptanceCriteria'],
      createdAt: '2025-11-03T08:15:30.050Z',
      changedAt: '2025-11-04T09:00:00.123Z',
      url: 'https://tracker.example/works/Shop/_workitems/edit/12',
      relationsFingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      fields: wireItem({ id: 12, fields }).fields,
    })
  })

  it('returns null for every missing field', () => {
    expect(read({ id: 12 })).toMatchObject({
      assignedTo: null,
      tags: [],
      storyPoints: null,
      priority: null,
      parentId: null,
      predecessorIds: [],
      blockedField: false,
      description: null,
      acceptanceCriteria: null,
    })
  })

  it('reads the parent from a field if there are no links', () => {
    expect(read({ id: 12, fields: { 'System.Parent': 3 } }).parentId).toBe(3)
  })

  it('reads the text of a bug from its repro steps if there is no description', () => {
    const fields = { 'Microsoft.VSTS.TCM.ReproSteps': '1. Open' }
    const multilineFieldsFormat = { 'Microsoft.VSTS.TCM.ReproSteps': 'markdown' }
    expect(read({ id: 12, fields, multilineFieldsFormat }).description).toEqual({ format: 'markdown', text: '1. Open' })
    const both = { ...fields, 'System.Description': '<p>Crash</p>' }
    expect(read({ id: 12, fields: both, multilineFieldsFormat }).description).toEqual({
      format: 'html',
      text: '<p>Crash</p>',
    })
  })

  it.each([
    ['Yes', true],
    ['yes', true],
    [true, true],
    ['No', false],
    ['', false],
    [undefined, false],
  ])('reads the blocked field: %j is %j', (value, blocked) => {
    expect(read({ id: 12, fields: { 'Microsoft.VSTS.CMMI.Blocked': value } }).blockedField).toBe(blocked)
  })
})

describe('points', () => {
  const fields = {
    'Microsoft.VSTS.Scheduling.StoryPoints': 3,
    'Microsoft.VSTS.Scheduling.Effort': 8,
    'Microsoft.VSTS.Scheduling.Size': 13,
  }

  it('are those of the field of the process, and of no other field', () => {
    expect(read({ id: 1, fields: { ...fields, 'Shop.Size': 1 } }).storyPoints).toBe(1)
    expect(read({ id: 1, fields }).storyPoints).toBeNull()
  })

  it.each([
    ['StoryPoints', 3],
    ['Effort', 8],
    ['Size', 13],
  ])('are in %s if the process does not define the field', (name, points) => {
    const only = { [`Microsoft.VSTS.Scheduling.${name}`]: points }
    expect(read({ id: 1, fields: only }, { pointsField: null }).storyPoints).toBe(points)
  })

  it('can be missing or 0', () => {
    expect(read({ id: 1, fields: { 'Shop.Size': 0 } }).storyPoints).toBe(0)
    expect(read({ id: 1 }, { pointsField: null }).storyPoints).toBeNull()
  })
})
