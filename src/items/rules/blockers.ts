import type { StateCategory } from '../../tracker'

/** A work item that another one waits for, with what is known of its state. */
export interface Predecessor {
  id: number
  title: string
  stateCategory: StateCategory | null
}

export interface Blocker {
  by: 'tag' | 'field' | 'predecessor'
  itemId: number | null
  evidence: string
}

export interface Blockable {
  stateCategory: StateCategory | null
  tags: readonly string[]
  blockedField: boolean
  predecessors: readonly Predecessor[]
}

/** What holds the item up. One that is done or removed is held up by nothing, and a predecessor of unknown state is no proof. */
export function findBlockers(item: Blockable): Blocker[] {
  if (isClosed(item.stateCategory)) return []
  const blockers: Blocker[] = []
  const tag = item.tags.find((candidate) => candidate.toLowerCase() === 'blocked')
  if (tag !== undefined) blockers.push({ by: 'tag', itemId: null, evidence: `tagged ${tag}` })
  if (item.blockedField) blockers.push({ by: 'field', itemId: null, evidence: "the tracker's Blocked field is set" })
  for (const predecessor of item.predecessors) {
    if (predecessor.stateCategory === null || isClosed(predecessor.stateCategory)) continue
    blockers.push({
      by: 'predecessor',
      itemId: predecessor.id,
      evidence: `waits for #${predecessor.id} ${predecessor.title}`,
    })
  }
  return blockers
}

function isClosed(category: StateCategory | null): boolean {
  return category === 'Completed' || category === 'Removed'
}
