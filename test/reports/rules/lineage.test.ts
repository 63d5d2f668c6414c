import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineageOf } from '../../../src/reports/rules/lineage'
import { anyLinks, shuffled } from '../random-workspace'
import { item } from '../sample-workspace'

describe('lineageOf', () => {
  it('puts a parent before its children, and siblings by id', () => {
    const { inOrder } = lineageOf([
      item(5, { parentId: 9 }),
      item(3, { parentId: 9 }),
      item(9),
      item(4, { parentId: 3 }),
      item(1),
    ])
    expect(inOrder.map((one) => one.id)).toEqual([1, 9, 3, 4, 5])
  })

  it('knows no parent that is not among the items', () => {
    expect(lineageOf([item(1, { parentId: 77 })]).parentOf.size).toBe(0)
  })

  it('cuts a cycle above its highest item', () => {
    const { parentOf } = lineageOf([
      item(1, { level: 0, parentId: 2 }),
      item(2, { level: 1, parentId: 3 }),
      item(3, { level: 2, parentId: 1 }),
    ])
    expect([...parentOf]).toEqual([
      [1, 2],
      [2, 3],
    ])
  })

  it('cuts a cycle of equals above the lowest id, and an item loose from itself', () => {
    const { parentOf } = lineageOf([item(1, { parentId: 2 }), item(2, { parentId: 1 }), item(3, { parentId: 3 })])
    expect([...parentOf]).toEqual([[2, 1]])
  })

  it('loses no item, follows every link but those it must cut, and does not mind the order of the rows', () => {
    fc.assert(
      fc.property(
        anyLinks.chain((items) => fc.tuple(fc.constant(items), shuffled(items))),
        ([items, sameItems]) => {
          const { inOrder, parentOf } = lineageOf(items)
          expect(inOrder.map((one) => one.id).toSorted((a, b) => a - b)).toEqual(items.map((_, index) => index + 1))
          const seen = new Set<number>()
          for (const { id } of inOrder) {
            const parentId = parentOf.get(id)
            expect(parentId === undefined || seen.has(parentId)).toBe(true)
            seen.add(id)
          }
          expect(lineageOf(sameItems)).toEqual({ inOrder, parentOf })
        },
      ),
    )
  })

  it('walks 50,000 items, 10,000 deep', () => {
    const deep = Array.from({ length: 50_000 }, (_, i) => item(i + 1, { parentId: i % 10_000 === 0 ? null : i }))
    const { inOrder, parentOf } = lineageOf(deep)
    expect(inOrder).toHaveLength(50_000)
    expect(parentOf.size).toBe(49_995)
  })

  it('survives a cycle through 50,000 items', () => {
    const ring = Array.from({ length: 50_000 }, (_, i) => item(i + 1, { parentId: i === 0 ? 50_000 : i }))
    expect(lineageOf(ring).parentOf.size).toBe(49_999)
  })
})
