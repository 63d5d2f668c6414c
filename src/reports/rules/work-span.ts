import type { PastState } from '../../items'
import { findEarliest } from './dates'
import { isDone, isInProgress, type ReportItem } from './report-item'

/** When work on an item started and ended; null if neither the tracker nor the snapshots say. */
export interface WorkSpan {
  startedAt: string | null
  completedAt: string | null
  /** When the item was created in the tracker. */
  createdAt: string | null
}

type Category = ReportItem['stateCategory']

/** The category of a state, known from an item that is in this state now. */
type CategoryLookup = (type: string, state: string) => Category

/** Indexes the categories of the states of `items`, because a snapshot stores only the name of a state. */
export function indexCategories(items: readonly ReportItem[]): CategoryLookup {
  const known = new Map<string, Map<string, Category>>()
  for (const { type, state, stateCategory } of items) {
    const states = known.get(type) ?? new Map<string, Category>()
    known.set(type, states.set(state, stateCategory))
  }
  return (type, state) => known.get(type)?.get(state) ?? null
}

/** `past` is oldest first and ends with the current state. */
export function findWorkSpan(item: ReportItem, past: readonly PastState[], categoryOf: CategoryLookup): WorkSpan {
  const states = past.map((each) => ({ ...each, stateCategory: categoryOf(item.type, each.state) }))
  const last = states.at(-1)
  const completedAt = isDone(item)
    ? (last?.closedAt ?? last?.stateSince ?? findTransition(states, isDone, 'last'))
    : null
  const begun = [findTransition(states, isInProgress, 'first'), ...states.map(({ activatedAt }) => activatedAt)]
  const startedAt = findEarliest(begun.filter((at) => at !== null))
  const isOrdered = startedAt === null || completedAt === null || startedAt <= completedAt
  const createdAt = states.findLast((seen) => seen.createdAt !== null)?.createdAt ?? null
  return { startedAt: isOrdered ? startedAt : null, completedAt, createdAt }
}

interface CategorizedState extends PastState {
  stateCategory: Category
}

/** The first or last change into a matching state that two consecutive snapshots show. */
function findTransition(
  states: readonly CategorizedState[],
  isSuch: (seen: CategorizedState) => boolean,
  which: 'first' | 'last',
): string | null {
  const entries = states.filter((seen, at) => at > 0 && isSuch(seen) && !isSuch(states[at - 1]!))
  return (which === 'first' ? entries[0] : entries.at(-1))?.changedAt ?? null
}
