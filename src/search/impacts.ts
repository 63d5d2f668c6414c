import type { TermCounts } from './rules/count-terms'
import { FIELDS, type Field, fieldShare, impactOf } from './rules/score'

export type Lengths = Record<Field, number>

/** At least 1, so that a field that is empty everywhere divides nothing by 0. */
export function averageLengths(counted: readonly Pick<TermCounts, 'lengths'>[]): Lengths {
  const averages: Lengths = { title: 1, tags: 1, criteria: 1, description: 1 }
  for (const field of FIELDS) {
    const sum = counted.reduce((total, { lengths }) => total + lengths[field], 0)
    averages[field] = Math.max(1, sum / Math.max(1, counted.length))
  }
  return averages
}

type Impacts = ReadonlyMap<string, number>

/** The impact of each term, from 0 to 1: in the whole entity, and in its title alone. */
export function impactsIn(
  { terms, times, lengths }: TermCounts,
  average: Lengths,
): { everywhere: Impacts; title: Impacts } {
  const everywhere = new Map<string, number>()
  const title = new Map<string, number>()
  for (const [position, term] of terms.entries()) {
    let shares = 0
    for (const [column, field] of FIELDS.entries()) {
      const count = times[position * FIELDS.length + column]!
      if (count === 0) continue
      const share = fieldShare(field, count, lengths[field] / average[field])
      shares += share
      if (field === 'title') title.set(term, impactOf(share))
    }
    everywhere.set(term, impactOf(shares))
  }
  return { everywhere, title }
}
