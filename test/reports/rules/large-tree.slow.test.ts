import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReportItem } from '../../../src/reports/rules/report-item'
import type { HierarchyNode, Totals } from '../../../src/reports/schemas'
import { buildFigures, buildHierarchy } from '../at-once'
import { generateWorkspace } from '../large-workspace'

const SIZE = 50_000

interface Counted extends Totals {
  /** It or something below it counts an estimate of its own. */
  isEstimated: boolean
}

/** A reference implementation that follows the definition, from the leaves up. */
function countByHand(items: readonly ReportItem[]): Map<number, Counted> {
  const byId = new Map(items.map((item) => [item.id, item]))
  const children = new Map<number, ReportItem[]>()
  for (const item of items) {
    if (item.parentId === null || !byId.has(item.parentId)) continue
    const siblings = children.get(item.parentId)
    if (siblings) siblings.push(item)
    else children.set(item.parentId, [item])
  }
  const counted = new Map<number, Counted>()
  const count = (item: ReportItem): Counted => {
    const known = counted.get(item.id)
    if (known) return known
    const parts = (children.get(item.id) ?? []).map(count)
    const sum = (of: keyof Totals) => parts.reduce((total, part) => total + part[of], 0)
    const isPresent = item.stateCategory !== 'Removed'
    const isDone = item.stateCategory === 'Completed'
    const hasEstimate = isPresent && item.storyPoints !== null && item.storyPoints >= 0
    const isEstimatedBelow = parts.some((part) => part.isEstimated)
    const counts = hasEstimate && (item.level === 1 || (item.level! > 1 && !isEstimatedBelow))
    const points = counts ? item.storyPoints! : 0
    const isUnestimated = isPresent && !isDone && item.level === 1 && !hasEstimate
    const result = {
      points: points + sum('points'),
      donePoints: (isDone ? points : 0) + sum('donePoints'),
      items: sum('items') + (isPresent ? 1 : 0),
      doneItems: sum('doneItems') + (isDone ? 1 : 0),
      unestimated: sum('unestimated') + (isUnestimated ? 1 : 0),
      blockers: sum('blockers') + (isPresent ? item.blocked.length : 0),
      isEstimated: counts || isEstimatedBelow,
    }
    counted.set(item.id, result)
    return result
  }
  for (const item of items) count(item)
  return counted
}

describe('totals of a tree of 50,000 items', () => {
  it('are correct at every node', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom('bushy', 'deep'), (seed, shape) => {
        const items = generateWorkspace(SIZE, { seed, shape })
        const byHand = countByHand(items)
        const { features, unparented } = buildHierarchy(items)
        const waiting: HierarchyNode[] = [...features, ...unparented]
        let seen = 0
        const wrong: unknown[] = []
        for (let node = waiting.pop(); node; node = waiting.pop()) {
          seen++
          waiting.push(...node.children)
          // An epic's tree ends where its features begin: they are counted as trees of their own.
          if (node.type === 'Epic') continue
          const { isEstimated: _, ...expected } = byHand.get(node.id)!
          if (JSON.stringify(expected) !== JSON.stringify(node.totals)) wrong.push([node.id, expected, node.totals])
        }
        expect(seen).toBe(SIZE)
        expect(wrong).toEqual([])
      }),
      { numRuns: 4 },
    )
  })

  it('sum to the totals of the workspace', () => {
    const items = generateWorkspace(SIZE, { seed: 7, shape: 'bushy' })
    const byHand = countByHand(items)
    const ids = new Set(items.map(({ id }) => id))
    const roots = items.filter(({ parentId }) => parentId === null || !ids.has(parentId))
    const { totals } = buildFigures(items)
    for (const of of Object.keys(totals) as (keyof Totals)[]) {
      expect([of, totals[of]]).toEqual([of, roots.reduce((sum, root) => sum + byHand.get(root.id)![of], 0)])
    }
  })
})
