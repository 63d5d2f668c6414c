import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffFields } from '../../../src/items/rules/field-changes'
import { determineFreshness } from '../../../src/items/rules/freshness'
import { buildHistory, compareSnapshots, type Snapshot } from '../../../src/items/rules/history'
import { findTreeNotes } from '../../../src/items/rules/tree-notes'

const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined))
const fields = fc.dictionary(fc.constantFrom('System.Title', 'System.State', 'Vendor.Size', 'Vendor.Note'), value)

describe('what differs between two snapshots', () => {
  it('is nothing between a snapshot and itself', () => {
    fc.assert(
      fc.property(fields, (one) => {
        expect(diffFields(one, structuredClone(one))).toEqual([])
      }),
    )
  })

  it('is the same seen from the other end, with both ends changed', () => {
    fc.assert(
      fc.property(fields, fields, (one, other) => {
        const back = diffFields(other, one).map(({ field, from, to }) => ({ field, from: to, to: from }))
        expect(diffFields(one, other)).toEqual(back)
      }),
    )
  })

  it('is told by name, and never twice', () => {
    fc.assert(
      fc.property(fields, fields, (one, other) => {
        const names = diffFields(one, other).map(({ field }) => field)
        expect(names).toEqual([...new Set(names)].sort())
      }),
    )
  })

  it('leaves out what every save changes, and takes empty and absent for the same', () => {
    const before = { 'System.Rev': 1, 'System.ChangedDate': 'a', 'System.ChangedBy': 'x', 'Vendor.Note': '' }
    const after = { 'System.Rev': 2, 'System.ChangedDate': 'b', 'System.ChangedBy': 'y' }
    expect(diffFields(before, after)).toEqual([])
  })

  it('tells people by their accounts', () => {
    const of = (uniqueName: string) => ({ 'System.AssignedTo': { displayName: 'Mei Tanaka', uniqueName, id: '1' } })
    expect(diffFields(of('mei@a.example'), of('mei@b.example'))).toEqual([
      { field: 'System.AssignedTo', from: 'mei@a.example', to: 'mei@b.example' },
    ])
  })
})

describe('the history of an item', () => {
  const past = (rev: number, title: string, relationsFingerprint = 'a'): Snapshot => ({
    rev,
    relationsFingerprint,
    fields: { 'System.Title': title },
    recordedAt: `2026-11-0${rev}T00:00:00.000Z`,
    fromFile: null,
  })

  it('is newest first, each with what it changed', () => {
    expect(buildHistory([past(1, 'One'), past(2, 'Two'), past(2, 'Two', 'b')])).toMatchObject([
      { rev: 2, changes: [], linksChanged: true },
      { rev: 2, changes: [{ from: 'One', to: 'Two' }], linksChanged: false },
      { rev: 1, changes: [], linksChanged: false },
    ])
    expect(buildHistory([])).toEqual([])
  })

  it('compares snapshots that are far apart', () => {
    expect(compareSnapshots(past(1, 'One'), past(3, 'Three', 'b'))).toMatchObject({
      changes: [{ from: 'One', to: 'Three' }],
      linksChanged: true,
    })
  })

  it('says nothing of what a file did not tell', () => {
    const file = { name: 'export.csv', asOf: null, importedAt: '2026-11-02T00:00:00.000Z' }
    const told = { ...past(2, 'Two', 'file'), fromFile: file }
    const whole = { ...past(3, 'Three', 'c'), fields: { 'System.Title': 'Three', 'System.State': 'New' } }
    expect(compareSnapshots(told, whole)).toEqual({
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
    expect(determineFreshness(local, remote)).toEqual({
      localRev: local?.rev ?? 0,
      remoteRev: 3,
      isFresh: reason === 'fresh',
      reason,
    })
  })
})

describe('what is said of a tree', () => {
  const member = (id: number, parentId: number | null, areaPath = 'Shop') => [id, { id, parentId, areaPath }] as const

  it('is nothing where all stand where they should', () => {
    const links = [{ parentId: 1, childId: 2 }]
    expect(findTreeNotes(1, links, new Map([member(1, 99), member(2, 1)]))).toEqual([])
  })

  it('names a circle, a second parent and another project', () => {
    const links = [
      { parentId: 1, childId: 2 },
      { parentId: 1, childId: 3 },
    ]
    const members = new Map([member(1, 2), member(2, 1, 'Other\\Team'), member(3, 7)])
    expect(findTreeNotes(1, links, members).map(({ id, reason }) => [id, reason.split(':')[0]])).toEqual([
      [1, 'It lies below itself'],
      [2, 'It is in another project'],
      [3, 'It lies below #1, and names #7 as its parent.'],
    ])
  })
})
