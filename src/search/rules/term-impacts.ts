import { computeFieldShare, computeImpact, FIELDS, type Field } from './bm25'
import type { TermCounts } from './count-terms'

export type FieldLengths = Record<Field, number>

/** At least 1, so that a field that is empty everywhere divides nothing by 0. */
export function averageFieldLengths(counted: readonly Pick<TermCounts, 'lengths'>[]): FieldLengths {
  const averages: FieldLengths = { title: 1, tags: 1, criteria: 1, description: 1 }
  for (const field of FIELDS) {
    const sum = counted.reduce((total, { lengths }) => total + lengths[field], 0)
    averages[field] = Math.max(1, sum / Math.max(1, counted.length))
  }
  return averages
}

type Impacts = ReadonlyMap<string, number>

/** The impact of each term, from 0 to 1: in the whole entity, and in its title alone. */
export function computeImpacts(
  { terms, times, lengths }: TermCounts,
  average: FieldLengths,
): { everywhere: Impacts; title: Impacts } {
  const everywhere = new Map<string, number>()
  const title = new Map<string, number>()
  for (const [position, term] of terms.entries()) {
    let shares = 0
    for (const [column, field] of FIELDS.entries()) {
      const count = times[position * FIELDS.length + column]!
      if (count === 0) continue
      const share = computeFieldShare(field, count, lengths[field] / average[field])
      shares += share
      if (field === 'title') title.set(term, computeImpact(share))
    }
    everywhere.set(term, computeImpact(shares))
  }
  return { everywhere, title }
}
