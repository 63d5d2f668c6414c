import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareWithTracker } from '../../../src/items/operations/import/check-freshness'
import { buildHistory, compareSnapshots, diffFields, type Snapshot } from '../../../src/items/rules/compare-snapshots'
import { findTreeNotes } from '../../../src/items/rules/tree-notes'

const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined))
const fields = fc.dictionary(fc.constantFrom('System.Title', 'System.State', 'Vendor.Size', 'Vendor.Note'), value)

describe('diffFields', () => {
  it('finds no difference between equal fields', () => {
    fc.assert(
      fc.property(fields, (one) => {
        expect(diffFields(one, structuredClone(one))).toEqual([])
      }),
    )
  })

  it('swaps from and to for swapped arguments', () => {
    fc.assert(
      fc.property(fields, fields, (one, other) => {
        const back = diffFields(other, one).map(({ field, from, to }) => ({ field, from: to, to: from }))
        expect(diffFields(one, other)).toEqual(back)
      }),
    )
  })

  it('lists each field once, sorted by name', () => {
    fc.assert(
      fc.property(fields, fields, (one, other) => {
        const names = diffFields(one, other).map(({ field }) => field)
        expect(names).toEqual([...new Set(names)].sort())
      }),
    )
  })

  it('ignores fields that every save changes and treats empty as missing', () => {
    const before = { 'System.Rev': 1, 'System.ChangedDate': 'a', 'System.ChangedBy': 'x', 'Vendor.Note': '' }
    const after = { 'System.Rev': 2, 'System.ChangedDate': 'b', 'System.ChangedBy': 'y' }
    expect(diffFields(before, after)).toEqual([])
  })

  it('shows people by account', () => {
    const of = (uniqueName: string) => ({ 'System.AssignedTo': { displayName: 'Mei Tanaka', uniqueName, id: '1' } })
    expect(diffFields(of('mei@a.example'), of('mei@b.example'))).toEqual([
      { field: 'System.AssignedTo', from: 'mei@a.example', to: 'mei@b.example' },
    ])
  })
})

describe('buildHistory', () => {
  const past = (rev: number, title: string, relationsFingerprint = 'a'): Snapshot => ({
    rev,
    relationsFingerprint,
    fields: { 'System.Title': title },
    recordedAt: `2026-11-0${rev}T00:00:00.000Z`,
    fromFile: null,
  })

  it('lists snapshots newest first, each with its changes', () => {
    expect(buildHistory([past(1, 'One'), past(2, 'Two'), past(2, 'Two', 'b')])).toMatchObject([
      { rev: 2, changes: [], linksChanged: true },
      { rev: 2, changes: [{ from: 'One', to: 'Two' }], linksChanged: false },
      { rev: 1, changes: [], linksChanged: false },
    ])
    expect(buildHistory([])).toEqual([])
  })

  it('compares any two snapshots', () => {
    expect(compareSnapshots(past(1, 'One'), past(3, 'Three', 'b'))).toMatchObject({
      changes: [{ from: 'One', to: 'Three' }],
      linksChanged: true,
    })
  })

  it('compares only the fields that a file has', () => {
    const file = { name: 'export.csv', asOf: null, importedAt: '2026-11-02T00:00:00.000Z' }
    const imported = { ...past(2, 'Two', 'file'), fromFile: file }
    const fetched = { ...past(3, 'Three', 'c'), fields: { 'System.Title': 'Three', 'System.State': 'New' } }
    expect(compareSnapshots(imported, fetched)).toEqual({
      changes: [{ field: 'System.Title', from: 'Two', to: 'Three' }],
      linksChanged: false,
    })
  })
})

describe('freshness', () => {
  const shape = (rev: number, relationsFingerprint: string, isFromFile = false) => ({
    rev,
    relationsFingerprint,
    isFromFile,
  })

  it.each([
    [null, shape(3, 'a'), 'never-fetched'],
    [shape(2, 'a'), shape(3, 'a'), 'revision'],
    [shape(2, 'a'), shape(3, 'b'), 'revision'],
    [shape(3, 'a'), shape(3, 'b'), 'relations'],
    [shape(3, 'a'), shape(3, 'a'), 'fresh'],
    [shape(3, 'a', true), shape(3, 'a'), 'never-fetched'],
  ] as const)('of %j against %j is %s', (local, remote, reason) => {
    expect(compareWithTracker(local, remote)).toEqual({
      localRev: local?.rev ?? 0,
      remoteRev: 3,
      isFresh: reason === 'fresh',
      reason,
    })
  })
})

describe('findTreeNotes', () => {
  const member = (id: number, parentId: number | null, areaPath = 'Shop') => [id, { id, parentId, areaPath }] as const

  const nameOf = (id: number) => `#${id}`

  it('returns no notes for a regular tree', () => {
    const links = [{ parentId: 1, childId: 2 }]
    expect(findTreeNotes(1, links, { members: new Map([member(1, 99), member(2, 1)]), nameOf })).toEqual([])
  })

  it('reports a cycle, a second parent and another project', () => {
    const links = [
      { parentId: 1, childId: 2 },
      { parentId: 1, childId: 3 },
    ]
    const members = new Map([member(1, 2), member(2, 1, 'Other\\Team'), member(3, 7)])
    expect(findTreeNotes(1, links, { members, nameOf }).map(({ id, reason }) => [id, reason.split(':')[0]])).toEqual([
      [1, 'It is below itself'],
      [2, 'It is in another project'],
      [3, 'It is below #1, but its parent is #7.'],
    ])
  })
})
