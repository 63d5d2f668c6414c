import fc from 'fast-check'
import type { ReportItem } from '../../src/reports/rules/report-item'
import { item } from './sample-workspace'

const anyFields = fc.record({
  level: fc.constantFrom(null, 0, 1, 1, 2, 3),
  stateCategory: fc.constantFrom(null, 'Proposed', 'InProgress', 'Resolved', 'Completed', 'Removed'),
  storyPoints: fc.constantFrom(null, null, 0, 0.1, 0.2, 0.5, 1, 3, 8, -2),
  blockers: fc.integer({ min: 0, max: 2 }),
  changedAt: fc.constantFrom('2026-08-01T00:00:00.000Z', '2026-11-10T08:00:00.000Z'),
})

function itemsOf(parents: readonly (number | null)[], fields: readonly { blockers: number }[]): ReportItem[] {
  return parents.map((parentId, index) => {
    const { blockers, ...rest } = fields[index]!
    const blocked = Array.from({ length: blockers }, () => ({
      by: 'tag' as const,
      itemId: null,
      evidence: 'tagged Blocked',
    }))
    return item(index + 1, { ...rest, parentId, blocked })
  })
}

const sizes = fc.integer({ min: 0, max: 40 })

const NOT_CACHED = 999

/** Trees, with parents that are not cached among them, and rows in any order. */
export const anyTrees: fc.Arbitrary<ReportItem[]> = sizes
  .chain((size) =>
    fc.tuple(
      fc.tuple(...Array.from({ length: size }, (_, index) => fc.option(anyParentBefore(index + 1)))),
      fc.array(anyFields, { minLength: size, maxLength: size }),
    ),
  )
  .chain(([parents, fields]) => shuffled(itemsOf(parents, fields)))

function anyParentBefore(id: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: id - 1 }).map((parentId) => parentId || NOT_CACHED)
}

/** Any links, with cycles and items that are their own parent. */
export const anyLinks: fc.Arbitrary<ReportItem[]> = sizes
  .chain((size) =>
    fc.tuple(
      fc.array(fc.option(fc.integer({ min: 1, max: size + 2 })), { minLength: size, maxLength: size }),
      fc.array(anyFields, { minLength: size, maxLength: size }),
    ),
  )
  .chain(([parents, fields]) => shuffled(itemsOf(parents, fields)))

export function shuffled<T>(values: T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray(values, { minLength: values.length, maxLength: values.length })
}
