import type { PastState } from '../../../items'
import { isDone, isInProgress, type ReportItem } from '../item'
import { earliest } from '../moments'

/** From the first work on an item to its completion; null where neither the tracker nor the snapshots tell. */
export interface WorkSpan {
  startedAt: string | null
  completedAt: string | null
  /** When the item was created in the tracker. */
  createdAt: string | null
}

type Category = ReportItem['stateCategory']

/** The category of a state, as some item that is in it now shows. */
export type CategoryOf = (type: string, state: string) => Category

/** What `items` show of the states of their types. Snapshots keep the names of states alone. */
export function categoriesSeen(items: readonly ReportItem[]): CategoryOf {
  const known = new Map<string, Map<string, Category>>()
  for (const { type, state, stateCategory } of items) {
    const states = known.get(type) ?? new Map<string, Category>()
    known.set(type, states.set(state, stateCategory))
  }
  return (type, state) => known.get(type)?.get(state) ?? null
}

/** `past` is oldest first, and ends with the item as it is. */
export function workSpanOf(item: ReportItem, past: readonly PastState[], categoryOf: CategoryOf): WorkSpan {
  const states = past.map((each) => ({ ...each, stateCategory: categoryOf(item.type, each.state) }))
  const last = states.at(-1)
  const completedAt = isDone(item) ? (last?.closedAt ?? last?.stateSince ?? firstSeen(states, isDone, 'last')) : null
  const begun = [firstSeen(states, isInProgress, 'first'), ...states.map(({ activatedAt }) => activatedAt)]
  const startedAt = earliest(begun.filter((at) => at !== null))
  const isOrdered = startedAt === null || completedAt === null || startedAt <= completedAt
  const createdAt = states.findLast((seen) => seen.createdAt !== null)?.createdAt ?? null
  return { startedAt: isOrdered ? startedAt : null, completedAt, createdAt }
}

interface Seen extends PastState {
  stateCategory: Category
}

/** The moment of a change into such a state that two snapshots in turn show, of several the first or the last. */
function firstSeen(states: readonly Seen[], isSuch: (seen: Seen) => boolean, which: 'first' | 'last'): string | null {
  const entries = states.filter((seen, at) => at > 0 && isSuch(seen) && !isSuch(states[at - 1]!))
  return (which === 'first' ? entries[0] : entries.at(-1))?.changedAt ?? null
}
