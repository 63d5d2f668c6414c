import type { StateCategory } from '../../tracker'
import type { Blocker } from '../schemas'
import { showReference } from './item-reference'

/** A work item that another one depends on, with its last known state. */
export interface Predecessor {
  id: number
  title: string
  stateCategory: StateCategory | null
}

export interface Blockable {
  stateCategory: StateCategory | null
  tags: readonly string[]
  blockedField: boolean
  predecessors: readonly (Predecessor & { reference?: string | null })[]
}

/** A closed item has no blockers. A predecessor of unknown state does not block. */
export function findBlockers(item: Blockable): Blocker[] {
  if (isClosed(item.stateCategory)) return []
  const blockers: Blocker[] = []
  const tag = item.tags.find((candidate) => candidate.toLowerCase() === 'blocked')
  if (tag !== undefined) blockers.push({ by: 'tag', itemId: null, evidence: `tagged ${tag}` })
  if (item.blockedField) blockers.push({ by: 'field', itemId: null, evidence: "the tracker's Blocked field is set" })
  for (const { id, reference, title, stateCategory } of item.predecessors) {
    if (stateCategory === null || isClosed(stateCategory)) continue
    blockers.push({
      by: 'predecessor',
      itemId: id,
      evidence: `waits for ${showReference(id, reference ?? null)} ${title}`,
    })
  }
  return blockers
}

export function isClosed(category: StateCategory | null): boolean {
  return category === 'Completed' || category === 'Removed'
}
