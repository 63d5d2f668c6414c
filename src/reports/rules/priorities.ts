import { figuresOf } from './figures'
import type { ReportItem } from './item'

export interface AvailableFeature {
  id: number
  title: string
  state: string
  completion: number | null
}

/** The features that can be designated: the designated ones first, in their order, then the others by id. */
export function availableFeatures(items: readonly ReportItem[], designated: readonly number[]): AvailableFeature[] {
  const { features } = figuresOf(items, { designated })
  return features
    .toSorted((a, b) => Number(a.priority === null) - Number(b.priority === null) || rank(a) - rank(b))
    .map(({ id, title, state, completion }) => ({ id, title, state, completion }))
}

function rank({ priority, id }: { priority: number | null; id: number }): number {
  return priority ?? id
}
