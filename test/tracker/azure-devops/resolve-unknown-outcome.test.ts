import { describe, expect, it } from 'vitest'
import { resolveUnknownOutcome } from '../../../src/tracker/azure-devops/change-sender'
import type { WireItem } from '../../../src/tracker/azure-devops/wire-schemas'
import { wireItem } from './fixtures'

type Wanted = string | number | boolean | null

/** What is judged where a field was to become `wanted` from revision 3, and the item now has `found`. */
function judge(field: string, wanted: Wanted, found: unknown, rev = 4) {
  const now = wireItem({ id: 7, rev, fields: found === undefined ? {} : { [field]: found } }) as WireItem
  return resolveUnknownOutcome({ id: 7, rev: 3, fields: { [field]: wanted } }, now)
}

describe('a change whose answer never came', () => {
  it('was applied, where the item has all its values', () => {
    expect(judge('System.State', 'Closed', 'Closed')).toBe('applied')
    expect(judge('System.State', 'Closed', 'Closed', 9)).toBe('applied')
  })

  it('needed no revision, where the item had its values before', () => {
    expect(judge('System.State', 'Closed', 'Closed', 3)).toBe('applied')
  })

  it('was not applied so far, where the revision has not risen', () => {
    expect(judge('System.State', 'Closed', 'Active', 3)).toBe('unchanged')
  })

  it('was overtaken, where the next revision has other values', () => {
    expect(judge('System.State', 'Closed', 'Active')).toBe('overtaken')
  })

  it('is unclear, where there were more revisions since', () => {
    expect(judge('System.State', 'Closed', 'Active', 5)).toBe('unclear')
  })

  it('counts as a whole: one value that matches is not enough', () => {
    const change = { id: 7, rev: 3, fields: { 'System.State': 'Closed', 'Shop.Size': 5 } }
    const now = wireItem({ id: 7, rev: 4, fields: { 'System.State': 'Closed', 'Shop.Size': 3 } }) as WireItem
    expect(resolveUnknownOutcome(change, now)).toBe('overtaken')
  })
})

describe('a value that the tracker keeps in another form', () => {
  it.each<[string, string, Wanted, unknown]>([
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
  ])('is recognized: %s', (_, field, wanted, found) => {
    expect(judge(field, wanted, found)).toBe('applied')
  })

  it.each<[string, string, Wanted, unknown]>([
    ['another person', 'System.AssignedTo', 'ana@shop.example', { displayName: 'Bo', uniqueName: 'bo@shop.example' }],
    ['nobody', 'System.AssignedTo', 'ana@shop.example', undefined],
    ['fewer tags', 'System.Tags', 'api; client', 'api'],
    ['another number', 'Shop.Size', 5, 3],
    ['a value that should be cleared', 'Shop.Size', null, 3],
  ])('is told apart: %s', (_, field, wanted, found) => {
    expect(judge(field, wanted, found)).toBe('overtaken')
  })

  it.each<[string, string, Wanted, unknown]>([
    ['a long text, which the tracker rewrites', 'System.Description', '<p>New</p>', '<div>New </div>'],
    ['a long text that became plain', 'System.Description', '<p>New</p>', 'New'],
    ['a name in another case', 'System.State', 'closed', 'Closed'],
  ])('proves nothing when it differs: %s', (_, field, wanted, found) => {
    expect(judge(field, wanted, found)).toBe('unclear')
  })
})
