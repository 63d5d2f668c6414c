import { describe, expect, it } from 'vitest'
import { resolveUnknownOutcome } from '../../../src/tracker/azure-devops/change-sender'
import type { WireItem } from '../../../src/tracker/azure-devops/wire-schemas'
import { link, wireItem } from './fixtures'

type Requested = string | number | boolean | null

/** The outcome of setting a field to `requested` on revision 3 if the item now has `found`. */
function judge(field: string, requested: Requested, found: unknown, rev = 4) {
  const now = wireItem({ id: 7, rev, fields: found === undefined ? {} : { [field]: found } }) as WireItem
  return resolveUnknownOutcome({ id: 7, rev: 3, fields: { [field]: requested } }, now)
}

describe('a change without a response', () => {
  it('was applied if the item has all its values', () => {
    expect(judge('System.State', 'Closed', 'Closed')).toBe('applied')
    expect(judge('System.State', 'Closed', 'Closed', 9)).toBe('applied')
  })

  it('was applied if the item already had its values', () => {
    expect(judge('System.State', 'Closed', 'Closed', 3)).toBe('applied')
  })

  it('was not applied if the revision is the same', () => {
    expect(judge('System.State', 'Closed', 'Active', 3)).toBe('unchanged')
  })

  it('was overtaken if the next revision has other values', () => {
    expect(judge('System.State', 'Closed', 'Active')).toBe('overtaken')
  })

  it('is unclear if there are several newer revisions', () => {
    expect(judge('System.State', 'Closed', 'Active', 5)).toBe('unclear')
  })

  it('was not applied if only one of its values matches', () => {
    const change = { id: 7, rev: 3, fields: { 'System.State': 'Closed', 'Shop.Size': 5 } }
    const now = wireItem({ id: 7, rev: 4, fields: { 'System.State': 'Closed', 'Shop.Size': 3 } }) as WireItem
    expect(resolveUnknownOutcome(change, now)).toBe('overtaken')
  })
})

describe('a value that the tracker rewrites', () => {
  it.each<[string, string, Requested, unknown]>([
    ['a person', 'System.AssignedTo', 'ana@shop.example', { displayName: 'Ana Ruiz', uniqueName: 'Ana@Shop.example' }],
    ['a person by name', 'System.AssignedTo', 'Ana Ruiz', { displayName: 'Ana Ruiz', uniqueName: 'ana@shop.example' }],
    ['a person in a string', 'System.AssignedTo', 'ana@shop.example', 'Ana Ruiz <ana@shop.example>'],
    [
      'a person of another field',
      'Shop.Tester',
      'ana@shop.example',
      { displayName: 'A', uniqueName: 'ana@shop.example' },
    ],
    ['tags', 'System.Tags', 'api; Client', 'client; API'],
    ['a number', 'Shop.Size', '5', 5],
    ['a flag', 'Shop.Flag', true, true],
    ['a date', 'Shop.Due', '2026-01-31', '2026-01-31T00:00:00Z'],
    ['nothing, for null', 'Shop.Size', null, undefined],
    ['nothing, for an empty text', 'Shop.Note', '', undefined],
  ])('is recognized: %s', (_, field, requested, found) => {
    expect(judge(field, requested, found)).toBe('applied')
  })

  it.each<[string, string, Requested, unknown]>([
    ['another person', 'System.AssignedTo', 'ana@shop.example', { displayName: 'Bo', uniqueName: 'bo@shop.example' }],
    ['nobody', 'System.AssignedTo', 'ana@shop.example', undefined],
    ['fewer tags', 'System.Tags', 'api; client', 'api'],
    ['another number', 'Shop.Size', 5, 3],
    ['a value that should be cleared', 'Shop.Size', null, 3],
  ])('is recognized as different: %s', (_, field, requested, found) => {
    expect(judge(field, requested, found)).toBe('overtaken')
  })

  it.each<[string, string, Requested, unknown]>([
    ['a long text, which the tracker rewrites', 'System.Description', '<p>New</p>', '<div>New </div>'],
    ['a long text that became plain', 'System.Description', '<p>New</p>', 'New'],
    ['a name in another case', 'System.State', 'closed', 'Closed'],
  ])('is unclear if it differs: %s', (_, field, requested, found) => {
    expect(judge(field, requested, found)).toBe('unclear')
  })
})

describe('a change of links without a response', () => {
  const judgeLinks = (relations: unknown[], rev: number) =>
    resolveUnknownOutcome(
      {
        id: 7,
        rev: 3,
        fields: {},
        links: { add: [{ kind: 'parent', id: 5 }], remove: [{ kind: 'parent', id: 4 }] },
      },
      wireItem({ id: 7, rev, relations: relations as never }) as WireItem,
    )

  it('was applied if the item has the new links and none of the removed ones, at any revision', () => {
    expect(judgeLinks([link('Hierarchy-Reverse', 5)], 3)).toBe('applied')
    expect(judgeLinks([link('Hierarchy-Reverse', 5)], 9)).toBe('applied')
  })

  it('was not applied if a link is as before', () => {
    expect(judgeLinks([link('Hierarchy-Reverse', 4)], 3)).toBe('unchanged')
    expect(judgeLinks([], 3)).toBe('unchanged')
  })

  it('was overtaken if the next revision has other links', () => {
    expect(judgeLinks([link('Hierarchy-Reverse', 6)], 4)).toBe('overtaken')
  })
})
