import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findParentConflict, type LinkedItem, listLinkChanges, planLinks } from '../../../src/items/rules/link-updates'
import type { ItemLink } from '../../../src/tracker'

const id = fc.integer({ min: 1, max: 9 })
const ids = fc.uniqueArray(id)
const item: fc.Arbitrary<LinkedItem> = fc.record({
  id: fc.constant(99),
  parentId: fc.option(id),
  predecessorIds: ids,
  successorIds: ids,
  relatedIds: ids,
})
const link: fc.Arbitrary<ItemLink> = fc.record({ kind: fc.constantFrom('predecessor', 'successor', 'related'), id })
const links = fc.uniqueArray(link, { selector: (one) => `${one.kind} ${one.id}` })
const parentId = fc.option(fc.option(id), { nil: undefined })

function applyPlan(item: LinkedItem, { add, remove }: ReturnType<typeof planLinks>): LinkedItem {
  const change = (kind: ItemLink['kind'], before: readonly number[]) => [
    ...before.filter((id) => !remove.some((link) => link.kind === kind && link.id === id)),
    ...add.flatMap((link) => (link.kind === kind ? link.id : [])),
  ]
  return {
    id: item.id,
    parentId: change('parent', item.parentId === null ? [] : [item.parentId])[0] ?? null,
    predecessorIds: change('predecessor', item.predecessorIds),
    successorIds: change('successor', item.successorIds),
    relatedIds: change('related', item.relatedIds),
  }
}

describe('the plan of links', () => {
  it('leads to the requested links, and needs nothing when it is repeated', () => {
    fc.assert(
      fc.property(item, parentId, links, (before, parent, add) => {
        const updates = { ...(parent === undefined ? {} : { parentId: parent }), add }
        const after = applyPlan(before, planLinks(before, updates))
        expect(after.parentId).toBe(parent === undefined ? before.parentId : parent)
        const all = { predecessor: after.predecessorIds, successor: after.successorIds, related: after.relatedIds }
        for (const { kind, id } of add) expect(all[kind as keyof typeof all].filter((one) => one === id)).toEqual([id])
        expect(planLinks(after, updates)).toEqual({ add: [], remove: [] })
      }),
    )
  })

  it('undoes with a removal what it added, and touches nothing else', () => {
    fc.assert(
      fc.property(item, links, (before, links) => {
        const added = planLinks(before, { add: links }).add
        const between = applyPlan(before, { add: added, remove: [] })
        expect(applyPlan(between, planLinks(between, { remove: added }))).toEqual(before)
      }),
    )
  })

  it('shows a new parent with the one that it replaces', () => {
    const before = { id: 1, parentId: 4, predecessorIds: [7], successorIds: [], relatedIds: [] }
    expect(listLinkChanges(before, { parentId: 5, add: [{ kind: 'related', id: 3 }] })).toMatchObject([
      { field: 'Parent', from: 4, to: 5 },
      { field: 'Related', from: null, to: 3 },
    ])
    expect(listLinkChanges(before, { parentId: null, remove: [{ kind: 'predecessor', id: 7 }] })).toMatchObject([
      { field: 'Parent', from: 4, to: null },
      { field: 'Predecessor', from: 7, to: null },
    ])
  })
})

describe('a parent that another user has changed', () => {
  it.each([
    ['is in conflict with a third parent', 4, 6, 5, 1],
    ['is in conflict with no parent', 4, 6, null, 1],
    ['is none if it was not changed', 4, 4, 5, 0],
    ['is none if it is the requested one', 4, 5, 5, 0],
    ['is none if the cache does not have the item', undefined, 6, 5, 0],
    ['is none if no parent is requested', 4, 6, undefined, 0],
  ])('%s', (_, before, now, requested, count) => {
    const updates = requested === undefined ? {} : { parentId: requested }
    expect(findParentConflict(before, { parentId: now }, updates)).toHaveLength(count)
  })
})
