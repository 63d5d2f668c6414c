import { describe, expect, it } from 'vitest'
import type { ProcessField, TrackerItem, TrackerProcess } from '../../../src/tracker'
import { resolveUpdates } from '../../../src/workspace/rules/update-fields'
import { changeToSend, disallowedValues, touchesSameFields } from '../../../src/workspace/rules/update-plan'

const field = (
  referenceName: string,
  name: string,
  kind: ProcessField['kind'],
  more: Partial<ProcessField> = {},
): ProcessField => ({
  referenceName,
  name,
  kind,
  readOnly: false,
  property: null,
  ...more,
})

const process: TrackerProcess = {
  types: [
    {
      name: 'Story',
      color: null,
      level: 1,
      states: [
        { name: 'New', category: 'Proposed' },
        { name: 'Active', category: 'InProgress' },
      ],
      fieldReferenceNames: [
        'System.State',
        'System.Title',
        'Vendor.Effort',
        'System.IterationPath',
        'System.AssignedTo',
        'System.Tags',
      ],
    },
    {
      name: 'Task',
      color: null,
      level: 0,
      states: [{ name: 'To Do', category: 'Proposed' }],
      fieldReferenceNames: ['System.State'],
    },
  ],
  areaPaths: ['Harbor', 'Harbor\\Yard'],
  iterations: ['Harbor', 'Harbor\\Q4\\Sprint 24', 'Harbor\\Q1\\Sprint 1', 'Harbor\\Q2\\Sprint 1'].map((path) => ({
    path,
    startDate: null,
    finishDate: null,
  })),
  fields: [
    field('System.State', 'State', 'string', { property: 'state' }),
    field('System.Title', 'Title', 'string', { property: 'title' }),
    field('System.AssignedTo', 'Assigned To', 'identity', { property: 'assignedTo' }),
    field('System.IterationPath', 'Iteration Path', 'path', { property: 'iterationPath' }),
    field('System.Tags', 'Tags', 'tags', { property: 'tags' }),
    field('Vendor.Effort', 'Effort', 'number', { property: 'storyPoints' }),
    field('System.Rev', 'Rev', 'integer', { readOnly: true }),
  ],
}

const resolved = (updates: Record<string, unknown>, fields?: Record<string, unknown>) =>
  Object.fromEntries(
    resolveUpdates({ updates, fields }, process, 'mei').map(({ field, value }) => [field.referenceName, value]),
  )

describe('the keys of an update', () => {
  it.each([
    ['state', 'System.State'],
    ['State', 'System.State'],
    ['SYSTEM.STATE', 'System.State'],
    ['assignedTo', 'System.AssignedTo'],
    ['Assigned To', 'System.AssignedTo'],
    ['assigned-to', 'System.AssignedTo'],
    ['tags', 'System.Tags'],
  ])('%s is %s', (key, referenceName) => {
    expect(Object.keys(resolved({ [key]: 'x' }))).toEqual([referenceName])
  })

  it('take the names that people use for the points and the iteration of any process', () => {
    expect(resolved({ points: 3, iteration: 'Harbor' })).toEqual({
      'Vendor.Effort': 3,
      'System.IterationPath': 'Harbor',
    })
    expect(resolved({ storyPoints: '3' })).toEqual({ 'Vendor.Effort': 3 })
  })

  it('are refused all at once where they are unknown or cannot be set', () => {
    expect(() => resolved({ colour: 'red', rev: 3, points: 'many' })).toThrow(
      expect.objectContaining({
        code: 'invalid',
        details: [
          expect.objectContaining({ path: 'updates.colour' }),
          expect.objectContaining({ path: 'updates.rev' }),
          expect.objectContaining({ path: 'updates.points' }),
        ],
      }),
    )
  })

  it('count as updates where both forms name a field', () => {
    expect(resolved({ State: 'Active' }, { state: 'New', title: 'T' })).toEqual({
      'System.State': 'Active',
      'System.Title': 'T',
    })
  })
})

describe('the values of an update', () => {
  it('clear where they are empty', () => {
    expect(resolved({ assignedTo: '', tags: null })).toEqual({ 'System.AssignedTo': null, 'System.Tags': null })
  })

  it('know @me and lists of tags', () => {
    expect(resolved({ assignedTo: '@me', tags: ['a', 'b'] })).toEqual({
      'System.AssignedTo': 'mei',
      'System.Tags': 'a; b',
    })
  })

  it('find an iteration by the end of its path, where that is one', () => {
    expect(resolved({ iteration: 'sprint 24' })).toEqual({ 'System.IterationPath': 'Harbor\\Q4\\Sprint 24' })
    expect(() => resolved({ iteration: 'Sprint 1' })).toThrow('more than one')
    expect(() => resolved({ iteration: 'Sprint 99' })).toThrow('is not one of')
  })
})

const item = (more: Partial<TrackerItem> = {}) =>
  ({ id: 1, rev: 4, type: 'Story', fields: { 'System.State': 'New', 'Vendor.Effort': 3 }, ...more }) as TrackerItem

describe('the plan of an update', () => {
  const updates = resolveUpdates({ updates: { state: 'Active', points: 3 } }, process, null)

  it('sends only what differs, with the revision it was made on', () => {
    expect(changeToSend(item(), updates)).toEqual({ id: 1, rev: 4, fields: { 'System.State': 'Active' } })
    expect(changeToSend(item({ fields: { 'System.State': 'Active', 'Vendor.Effort': 3 } }), updates)).toBeNull()
  })

  it('names what the type of an item does not allow', () => {
    const messages = disallowedValues([item(), item({ id: 2, type: 'Task' })], updates, process).map(
      ({ message }) => message,
    )
    expect(messages).toEqual(['"Active" is not a state of a Task; it has To Do', 'is not a field of a Task'])
    expect(disallowedValues([item()], updates, process)).toEqual([])
  })

  it('does not empty what must not be empty', () => {
    const emptied = resolveUpdates({ updates: { title: '' } }, process, null)
    expect(disallowedValues([item()], emptied, process)).toEqual([{ path: 'Title', message: 'cannot be empty' }])
  })

  it('sees when somebody else has changed the same field, and only then', () => {
    const other = item({ rev: 5, fields: { 'System.State': 'New', 'Vendor.Effort': 3, 'System.Title': 'New title' } })
    expect(touchesSameFields(item(), other, updates)).toBe(false)
    expect(touchesSameFields(item(), item({ fields: { 'System.State': 'Closed', 'Vendor.Effort': 3 } }), updates)).toBe(
      true,
    )
  })
})
