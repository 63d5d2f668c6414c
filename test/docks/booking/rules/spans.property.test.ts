import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findFirstEndingAfter,
  findSaturatedSpans,
  mergeSpans,
  type Span,
  subtractSpans,
} from '../../../../src/docks/booking/rules/spans'

const MOMENTS = Array.from({ length: 60 }, (_, moment) => moment)
const spans = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 9 })).map(([from, length]) => ({
    from,
    to: from + length,
  })),
  { maxLength: 12 },
)

const covers = (list: readonly Span[], moment: number) => list.some(({ from, to }) => from <= moment && moment < to)

function expectMerged(list: readonly Span[]): void {
  for (const [index, span] of list.entries()) {
    expect(span.from).toBeLessThan(span.to)
    if (index > 0) expect(list[index - 1]!.to).toBeLessThan(span.from)
  }
}

describe('spans', () => {
  it('cover the same instants after merging, sorted and disjoint', () => {
    fc.assert(
      fc.property(spans, (list) => {
        const merged = mergeSpans(list)
        expectMerged(merged)
        for (const moment of MOMENTS) expect(covers(merged, moment)).toBe(covers(list, moment))
      }),
    )
  })

  it('cover the difference after subtraction', () => {
    fc.assert(
      fc.property(spans, spans, (list, holes) => {
        const left = subtractSpans(mergeSpans(list), mergeSpans(holes))
        expectMerged(left)
        for (const moment of MOMENTS) expect(covers(left, moment)).toBe(covers(list, moment) && !covers(holes, moment))
      }),
    )
  })

  it('are found by binary search', () => {
    fc.assert(
      fc.property(spans, fc.constantFrom(...MOMENTS), (list, moment) => {
        const merged = mergeSpans(list)
        const expected = merged.findIndex((span) => span.to > moment)
        expect(findFirstEndingAfter(merged, moment)).toBe(expected < 0 ? merged.length : expected)
      }),
    )
  })

  it('are saturated where the capacity is reached', () => {
    fc.assert(
      fc.property(spans, fc.integer({ min: 1, max: 4 }), (list, capacity) => {
        const busy = list.filter(({ from, to }) => from < to)
        const saturated = findSaturatedSpans(busy, capacity)
        expectMerged(saturated)
        for (const moment of MOMENTS) {
          const underWay = busy.filter((span) => covers([span], moment)).length
          expect(covers(saturated, moment)).toBe(underWay >= capacity)
        }
      }),
    )
  })
})
