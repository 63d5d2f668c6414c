import { describe, expect, it } from 'vitest'
import { findDisallowedValues, findUnlistedValues, normalizeSpelling } from '../../../src/items/rules/allowed-values'
import { listRequiredParts, refuseProblems, resolveUpdates as resolve } from '../../../src/items/rules/update-fields'
import {
  buildItemChange,
  findConflictingChanges,
  formatConflict,
  listFieldChanges,
} from '../../../src/items/rules/update-plan'
import type { ProcessField, TrackerItem, TrackerProcess } from '../../../src/tracker'

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
      category: null,
      states: [
        { name: 'New', category: 'Proposed', color: null },
        { name: 'Active', category: 'InProgress', color: null },
      ],
      fieldReferenceNames: [
        'System.State',
        'System.Title',
        'Vendor.Effort',
        'System.IterationPath',
        'System.AssignedTo',
        'System.Tags',
        'Vendor.Due',
      ],
      requiredFields: [],
      descriptionField: 'System.Description',
    },
    {
      name: 'Task',
      color: null,
      level: 0,
      category: null,
      states: [{ name: 'To Do', category: 'Proposed', color: null }],
      fieldReferenceNames: ['System.State'],
      requiredFields: [],
      descriptionField: 'System.Description',
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
    field('Vendor.Due', 'Due', 'date'),
    field('Vendor.Gates', 'Gates', 'list'),
    field('System.Rev', 'Rev', 'integer', { readOnly: true }),
  ],
}

const resolveUpdates = (...args: Parameters<typeof resolve>) => {
  const { requested, problems } = resolve(...args)
  refuseProblems(problems)
  return requested
}

const resolved = (updates: Record<string, unknown>, fields?: Record<string, unknown>) =>
  Object.fromEntries(
    resolveUpdates({ updates, fields }, process, 'mei').map(({ field, value }) => [field.referenceName, value]),
  )

describe('keys of an update', () => {
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

  it('accept common names for points and iteration in any process', () => {
    expect(resolved({ points: 3, iteration: 'Harbor' })).toEqual({
      'Vendor.Effort': 3,
      'System.IterationPath': 'Harbor',
    })
    expect(resolved({ storyPoints: '3' })).toEqual({ 'Vendor.Effort': 3 })
  })

  it('are refused together if they are unknown or read-only', () => {
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

  it('are refused if two of them name the same field', () => {
    expect(() => resolved({ State: 'Active', 'System.State': 'New' })).toThrow(
      'updates.System.State: sets State a second',
    )
  })

  it('in updates override those in fields', () => {
    expect(resolved({ State: 'Active' }, { state: 'New', title: 'T' })).toEqual({
      'System.State': 'Active',
      'System.Title': 'T',
    })
  })
})

describe('values of an update', () => {
  it('clear the field if they are empty', () => {
    expect(resolved({ assignedTo: '', tags: null })).toEqual({ 'System.AssignedTo': null, 'System.Tags': null })
  })

  it('replace @me in any letter case', () => {
    expect(resolved({ assignedTo: '@Me' })).toEqual({ 'System.AssignedTo': 'mei' })
  })

  it('replace @current by the only iteration of the day', () => {
    const dated = {
      path: 'Harbor\\Q4\\Sprint 24',
      startDate: '2026-11-16T00:00:00Z',
      finishDate: '2026-11-27T00:00:00Z',
    }
    const set = (day: string) =>
      resolveUpdates({ updates: { sprint: '@Current' } }, { ...process, iterations: [dated] }, null, day)
    expect(set('2026-11-27')).toMatchObject([{ value: dated.path }])
    expect(() => set('2026-11-28')).toThrow('no iteration of the tracker includes today, 2026-11-28')
  })

  it('replace @me and join lists of tags', () => {
    expect(resolved({ assignedTo: '@me', tags: ['a', 'b'] })).toEqual({
      'System.AssignedTo': 'mei',
      'System.Tags': 'a; b',
    })
  })

  it('of a list are separated by semicolons, each once', () => {
    expect(resolved({ gates: ' North; south;north ;; ' })).toEqual({ 'Vendor.Gates': 'north; south' })
    expect(resolved({ gates: ['North', 2] })).toEqual({ 'Vendor.Gates': 'North; 2' })
    expect(resolved({ gates: ' ; ' })).toEqual({ 'Vendor.Gates': null })
    expect(() => resolved({ gates: { name: 'North' } })).toThrow('must be values separated by semicolons')
  })

  it.each(['2026-12-24', '2028-02-29T08:30:00Z', '2026-12-24T08:30:00+01:00'])('can be the date %s', (due) => {
    expect(resolved({ due })).toEqual({ 'Vendor.Due': due })
  })

  it.each(['soon', '2026-02-30', '2027-02-29T08:00:00Z', '24.12.2026', '2026-12-24T25:00', 20261224])(
    'are no date as %s',
    (due) => {
      expect(() => resolved({ due })).toThrow('must be a date')
    },
  )

  it('find an iteration by a unique end of its path', () => {
    expect(resolved({ iteration: 'sprint 24' })).toEqual({ 'System.IterationPath': 'Harbor\\Q4\\Sprint 24' })
    expect(() => resolved({ iteration: 'Sprint 1' })).toThrow('more than one')
    expect(() => resolved({ iteration: 'Sprint 99' })).toThrow('is not one of')
  })
})

const item = (more: Partial<TrackerItem> = {}) =>
  ({ id: 1, rev: 4, type: 'Story', fields: { 'System.State': 'New', 'Vendor.Effort': 3 }, ...more }) as TrackerItem

describe('the change to send', () => {
  const updates = resolveUpdates({ updates: { state: 'Active', points: 3 } }, process, null)

  it('has only the fields that differ, and the revision of the item', () => {
    expect(buildItemChange(item(), updates)).toEqual({ id: 1, rev: 4, fields: { 'System.State': 'Active' } })
    expect(buildItemChange(item({ fields: { 'System.State': 'Active', 'Vendor.Effort': 3 } }), updates)).toBeNull()
  })

  it('compares the values of a list in any order, and checks each of them', () => {
    const updates = resolveUpdates({ updates: { gates: 'south; NORTH' } }, process, null)
    expect(buildItemChange(item({ fields: { 'Vendor.Gates': 'North; South' } }), updates)).toBeNull()
    expect(buildItemChange(item({ fields: { 'Vendor.Gates': 'North' } }), updates)).not.toBeNull()
    const allowed = [{ typeName: 'Story', referenceName: 'Vendor.Gates', values: ['North', 'South'] }]
    const [spelled] = normalizeSpelling(updates, [item()], { process, allowed })
    expect(spelled).toMatchObject({ value: 'South; North' })
    const wrong = resolveUpdates({ updates: { gates: 'South; West' } }, process, null)
    expect(findUnlistedValues(wrong, allowed)).toMatchObject([{ message: expect.stringContaining('"West" is not') }])
  })

  it('uses the letter case of the process, so that equal states are not sent', () => {
    const typed = resolveUpdates({ updates: { state: 'aCTIVE', title: 'aCTIVE' } }, process, null)
    const allowed = [{ typeName: 'Story', referenceName: 'System.Title', values: [] }]
    expect(normalizeSpelling(typed, [item()], { process, allowed }).map(({ value }) => value)).toEqual([
      'Active',
      'aCTIVE',
    ])
    const risk = [{ typeName: 'Story', referenceName: 'System.Title', values: ['Active'] }]
    expect(normalizeSpelling(typed, [item()], { process, allowed: risk }).map(({ value }) => value)).toEqual([
      'Active',
      'Active',
    ])
  })

  it('omits people, dates and tags that the item has in another notation', () => {
    const fields = {
      'System.Tags': 'dock; Urgent',
      'System.AssignedTo': { displayName: 'Mei Tanaka', uniqueName: 'mei@works.example' },
      'Vendor.Due': '2026-12-24T00:00:00Z',
    }
    const changed = (updates: Record<string, unknown>) =>
      listFieldChanges(item({ fields }), resolveUpdates({ updates }, process, null))
    for (const assignedTo of ['MEI@works.example', 'Mei Tanaka']) expect(changed({ assignedTo })).toEqual([])
    expect(changed({ assignedTo: 'Mei' })).toEqual([
      { field: 'Assigned To', from: 'mei@works.example', to: 'Mei', storedAs: null },
    ])
    for (const due of ['2026-12-24', '2026-12-24T01:00:00+01:00']) expect(changed({ due })).toEqual([])
    expect(changed({ due: '2026-12-25' })).toHaveLength(1)
    expect(changed({ tags: 'urgent;dock;Dock' })).toEqual([])
    expect(changed({ tags: ['dock'] })).toHaveLength(1)
  })

  it('is refused if the type of an item does not allow a value', () => {
    const messages = findDisallowedValues([item(), item({ id: 2, type: 'Task' })], updates, process).map(
      ({ message }) => message,
    )
    expect(messages).toEqual(['"Active" is not a state of a Task; use one of To Do', 'is not a field of a Task'])
    expect(findDisallowedValues([item()], updates, process)).toEqual([])
  })

  it('is refused if it clears a required field', () => {
    const emptied = resolveUpdates({ updates: { title: '' } }, process, null)
    expect(findDisallowedValues([item()], emptied, process)).toEqual([
      { path: 'updates.title', message: 'cannot be empty' },
    ])
  })

  it('has no conflict if another user changed other fields or set the same values', () => {
    const { fields } = item()
    const other = item({ rev: 5, fields: { ...fields, 'System.Title': 'New title' } })
    expect(findConflictingChanges(fields, other, updates)).toEqual([])
    expect(
      findConflictingChanges(fields, item({ rev: 5, fields: { ...fields, 'System.State': 'Active' } }), updates),
    ).toEqual([])
  })

  it('has a conflict if another user set another value', () => {
    const { fields } = item()
    const now = item({ rev: 5, fields: { ...fields, 'System.State': 'Closed' } })
    const conflicts = findConflictingChanges(fields, now, updates)
    expect(conflicts).toEqual([{ field: 'State', from: 'New', to: 'Closed', storedAs: null }])
    expect(formatConflict(conflicts, now)).toBe(
      'Another user changed State from New to Closed (revision 5). Review the change, then update the item again.',
    )
  })

  it('needs areas and iterations only if one of them is set', () => {
    expect(listRequiredParts({ updates: { state: 'Active' }, fields: { points: 3 } }, process)).toEqual([])
    expect(listRequiredParts({ fields: { Sprint: 'Sprint 24' } }, process)).toEqual(['iterations'])
  })
})
