import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildForest, findFeatureIds } from '../../../src/reports/rules/item-forest'
import type { ReportItem } from '../../../src/reports/rules/report-item'
import { anyLinks, shuffled } from '../random-workspace'
import { item } from '../sample-workspace'

describe('buildForest', () => {
  it('puts a parent before its children, and siblings by id', () => {
    const { inOrder } = buildForest([
      item(5, { parentId: 9 }),
      item(3, { parentId: 9 }),
      item(9),
      item(4, { parentId: 3 }),
      item(1),
    ])
    expect(inOrder.map((one) => one.id)).toEqual([1, 9, 3, 4, 5])
  })

  it('ignores a parent that is not among the items', () => {
    expect(buildForest([item(1, { parentId: 77 })]).parentOf.size).toBe(0)
  })

  it('cuts a cycle above its highest item', () => {
    const { parentOf } = buildForest([
      item(1, { level: 0, parentId: 2 }),
      item(2, { level: 1, parentId: 3 }),
      item(3, { level: 2, parentId: 1 }),
    ])
    expect([...parentOf]).toEqual([
      [1, 2],
      [2, 3],
    ])
  })

  it('cuts a cycle of items of the same level above the lowest ID, and a link of an item to itself', () => {
    const { parentOf } = buildForest([item(1, { parentId: 2 }), item(2, { parentId: 1 }), item(3, { parentId: 3 })])
    expect([...parentOf]).toEqual([[2, 1]])
  })

  it('loses no item, puts parents first and does not depend on the order of the rows', () => {
    fc.assert(
      fc.property(
        anyLinks.chain((items) => fc.tuple(fc.constant(items), shuffled(items))),
        ([items, sameItems]) => {
          const { inOrder, parentOf } = buildForest(items)
          expect(inOrder.map((one) => one.id).toSorted((a, b) => a - b)).toEqual(items.map((_, index) => index + 1))
          const seen = new Set<number>()
          for (const { id } of inOrder) {
            const parentId = parentOf.get(id)
            expect(parentId === undefined || seen.has(parentId)).toBe(true)
            seen.add(id)
          }
          expect(buildForest(sameItems)).toEqual({ inOrder, parentOf })
        },
      ),
    )
  })

  it('handles 50,000 items, 10,000 deep', () => {
    const deep = Array.from({ length: 50_000 }, (_, i) => item(i + 1, { parentId: i % 10_000 === 0 ? null : i }))
    const { inOrder, parentOf } = buildForest(deep)
    expect(inOrder).toHaveLength(50_000)
    expect(parentOf.size).toBe(49_995)
  })

  it('handles a cycle of 50,000 items', () => {
    const ring = Array.from({ length: 50_000 }, (_, i) => item(i + 1, { parentId: i === 0 ? 50_000 : i }))
    expect(buildForest(ring).parentOf.size).toBe(49_999)
  })
})

const featuresIn = (...items: ReportItem[]) => [...findFeatureIds(buildForest(items))]

describe('findFeatureIds', () => {
  it('takes the level above requirements: Agile, Scrum and CMMI', () => {
    const found = featuresIn(
      item(1, { type: 'Epic', level: 3 }),
      item(2, { type: 'Feature', level: 2, parentId: 1 }),
      item(3, { type: 'Product Backlog Item', level: 1, parentId: 2 }),
      item(4, { type: 'Task', level: 0, parentId: 3 }),
    )
    expect(found).toEqual([2])
  })

  it('takes the epics of a process without features, at whatever level the tracker numbers them', () => {
    const basic = (level: number) =>
      featuresIn(
        item(1, { type: 'Epic', level }),
        item(2, { type: 'Issue', level: 1, parentId: 1 }),
        item(3, { type: 'Task', level: 0, parentId: 2 }),
      )
    expect(basic(2)).toEqual([1])
    expect(basic(3)).toEqual([1])
  })

  it('takes the lower of two levels where the one between is not used', () => {
    const found = featuresIn(
      item(1, { type: 'Initiative', level: 4 }),
      item(2, { type: 'Epic', level: 3, parentId: 1 }),
      item(3, { level: 1, parentId: 2 }),
    )
    expect(found).toEqual([2])
  })

  it('ignores the names of types', () => {
    const found = featuresIn(
      item(1, { type: 'Vorhaben', level: 2 }),
      item(2, { type: 'Feature', level: 1, parentId: 1 }),
    )
    expect(found).toEqual([1])
  })

  it('takes the roots with children if no level is above requirements', () => {
    const story = [item(1), item(2, { level: 0, parentId: 1 }), item(3, { level: 0, parentId: 2 })]
    expect(featuresIn(...story, item(4))).toEqual([1])
    expect(featuresIn(item(1, { level: null }), item(2, { level: null, parentId: 1 }))).toEqual([1])
  })

  it('finds none among single items', () => {
    expect(featuresIn(item(1), item(2, { level: 0 }))).toEqual([])
  })
})
