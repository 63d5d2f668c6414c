import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_DEPTH } from '../../../src/reports/rules/hierarchy'
import type { ReportItem } from '../../../src/reports/rules/report-item'
import { computeCompletion, NO_TOTALS, sumTotals } from '../../../src/reports/rules/totals'
import type { HierarchyNode } from '../../../src/reports/schemas'
import { buildHierarchy } from '../at-once'
import { anyLinks, shuffled } from '../random-workspace'
import { item, shop } from '../sample-workspace'

/** `101[111 112[121 122]]` */
function shape(nodes: readonly HierarchyNode[]): string {
  return nodes.map((node) => `${node.id}${node.children.length > 0 ? `[${shape(node.children)}]` : ''}`).join(' ')
}

function all(nodes: readonly HierarchyNode[]): HierarchyNode[] {
  const found = [...nodes]
  for (const node of found) found.push(...node.children)
  return found
}

describe('buildHierarchy', () => {
  it('shows features with their descendants, and the other items by their roots', () => {
    const { features, unparented } = buildHierarchy(shop)
    expect(shape(features)).toBe('101[111 112[121 122] 113 114 115] 102[131 132] 103[141]')
    expect(shape(unparented)).toBe('90[151] 161')
  })

  it('describes a node with its totals and blockers', () => {
    const [feature] = buildHierarchy(shop).features
    expect({ ...feature, children: [] }).toEqual({
      id: 101,
      tracker: 'default',
      reference: '#101',
      type: 'Feature',
      title: 'Self-service returns',
      state: 'Active',
      stateCategory: 'InProgress',
      assignedTo: { displayName: 'Priya Nair', uniqueName: 'priya@example.com' },
      parentId: 90,
      points: 40,
      priority: null,
      areaPath: 'Shop',
      iterationPath: 'Shop\\Sprint 7',
      tags: [],
      changedAt: '2026-11-10T08:00:00.000Z',
      totals: { points: 13, donePoints: 5, items: 7, doneItems: 2, unestimated: 2, blockers: 1 },
      completion: 5 / 13,
      blockers: [],
      children: [],
    })
    expect(feature!.children[1]!.blockers).toEqual([
      { id: 112, signal: 'predecessor', itemId: 131, evidence: 'waits for #131 Sign the carrier contract' },
    ])
  })

  it('shows a removed item in its place without counting it', () => {
    const removed = buildHierarchy(shop).features[0]!.children.at(-1)
    expect(removed).toMatchObject({ id: 115, points: 13, totals: NO_TOTALS, completion: null })
  })

  it('shows a feature below its parent feature', () => {
    const { features } = buildHierarchy([item(1, { level: 2 }), item(2, { level: 2, parentId: 1 })])
    expect(shape(features)).toBe('1[2]')
  })

  it('shows an item whose parent is not cached among those without a feature', () => {
    const { features, unparented } = buildHierarchy([item(1, { level: 2 }), item(2, { parentId: 77 })])
    expect(shape(features)).toBe('1')
    expect(shape(unparented)).toBe('2')
    expect(unparented[0]!.parentId).toBe(77)
  })

  it('is empty for an empty workspace', () => {
    expect(buildHierarchy([])).toEqual({ features: [], unparented: [] })
  })

  describe('of one item', () => {
    it('shows one feature exactly as the whole report does', () => {
      const { features, unparented } = buildHierarchy(shop, { ids: [101] })
      expect(features).toEqual(buildHierarchy(shop).features.slice(0, 1))
      expect(unparented).toEqual([])
    })

    it('shows the features below an epic, and the rest of the epic', () => {
      const { features, unparented } = buildHierarchy(shop, { ids: [90] })
      expect(shape(features)).toBe('101[111 112[121 122] 113 114 115] 102[131 132]')
      expect(shape(unparented)).toBe('90[151]')
    })

    it('shows a story as if it were a feature', () => {
      expect(shape(buildHierarchy(shop, { ids: [112] }).features)).toBe('112[121 122]')
    })
  })

  it('limits the depth of nesting and loses no item', () => {
    const chain = Array.from({ length: 10_000 }, (_, i) => item(i + 1, { level: i === 0 ? 2 : 1, parentId: i || null }))
    const { features } = buildHierarchy(chain)
    let depth = 1
    for (let node = features[0]!; node.children.length > 0; node = node.children[0]!) depth++
    expect(depth).toBe(MAX_DEPTH)
    const nodes = all(features)
    expect(nodes).toHaveLength(10_000)
    expect(nodes.at(-1)).toMatchObject({ id: 10_000, parentId: 9_999 })
    expect(nodes[1]!.totals.items).toBe(9_999)
    expect(() => JSON.stringify(features)).not.toThrow()
  })

  it('shows every item once, with totals that add up, for any links', () => {
    fc.assert(
      fc.property(anyLinks, (items: ReportItem[]) => {
        const { features, unparented } = buildHierarchy(items)
        const nodes = all([...features, ...unparented])
        expect(nodes.map((node) => node.id).toSorted((a, b) => a - b)).toEqual(items.map((_, index) => index + 1))
        for (const node of nodes) {
          const ofChildren = node.children.map((child) => child.totals).reduce(sumTotals, NO_TOTALS)
          const isPresent = node.stateCategory !== 'Removed'
          expect(node.totals.items - ofChildren.items).toBe(isPresent ? 1 : 0)
          expect(node.totals.blockers - ofChildren.blockers).toBe(node.blockers.length)
          expect(node.totals.points).toBeGreaterThanOrEqual(ofChildren.points)
          expect(node.totals.donePoints).toBeLessThanOrEqual(node.totals.points)
          expect(node.completion).toBe(computeCompletion(node.totals))
        }
      }),
    )
  })

  it('does not depend on the order of the rows', () => {
    fc.assert(
      fc.property(
        anyLinks.chain((items) => fc.tuple(fc.constant(items), shuffled(items))),
        ([items, sameItems]) => {
          expect(buildHierarchy(sameItems)).toEqual(buildHierarchy(items))
        },
      ),
    )
  })
})
