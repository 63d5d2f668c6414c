import { describe, expect, it } from 'vitest'
import { buildScopes } from '../../../../src/reports/rules/forecast/scope'
import { buildForest } from '../../../../src/reports/rules/item-forest'
import type { WorkSpan } from '../../../../src/reports/rules/work-span'
import { item } from '../../sample-workspace'

const done = { stateCategory: 'Completed' } as const
const feature = { type: 'Feature', level: 2 }
const day = (n: number) => `2026-10-${String(n).padStart(2, '0')}T10:00:00.000Z`
const span = (createdAt: string, completedAt: string | null = null): WorkSpan => ({
  createdAt,
  startedAt: null,
  completedAt,
})

describe('a scope', () => {
  it('has the open backlog items below its root, each once, for the first of two roots', () => {
    const items = [
      item(1, { level: 3 }),
      item(2, { ...feature, parentId: 1 }),
      item(3, { parentId: 2 }),
      item(4, { parentId: 2, ...done }),
      item(5, { parentId: 2, stateCategory: 'Removed' }),
      item(6, { parentId: 3, level: 0 }),
      item(7, { parentId: 1 }),
    ]
    const scopes = (roots: number[]) =>
      buildScopes(buildForest(items), { roots, features: [2], spans: new Map() }).map(({ open }) =>
        open.map(({ id }) => id),
      )
    expect(scopes([1])).toEqual([[3, 7]])
    expect(scopes([2, 1])).toEqual([[3], [7]])
    expect(scopes([1, 2])).toEqual([[3, 7], []])
    expect(scopes([3])).toEqual([[3]])
    expect(scopes([99])).toEqual([[]])
  })

  it('grows by what was created after its work had begun, and a young one as the others did', () => {
    const old = Array.from({ length: 20 }, (_, i) => item(100 + i, { parentId: 1, ...done }))
    const young = [item(200, { parentId: 2 }), item(201, { parentId: 2 })]
    const items = [item(1, feature), item(2, feature), ...old, ...young]
    // Ten of the twenty were there when the first one was finished.
    const spans = new Map(
      old.map(({ id }, i) => [id, span(day(i < 10 ? 1 : 12), day(10 + i / 2 > 28 ? 28 : 10 + Math.floor(i / 2)))]),
    )
    const [first, second] = buildScopes(buildForest(items), { roots: [1, 2], features: [1, 2], spans })
    expect(first!.growth).toEqual({ finished: 20, added: 10, ratio: 0.5 })
    expect(second!.growth).toEqual({ finished: 0, added: 0, ratio: 0.5 })
  })
})
