import type { StateCategory } from '../../tracker'
import type { Blocker } from '../schemas'

/** The fields of a work item that reports read. */
export interface ReportItem {
  id: number
  /** The name of its tracker, and its reference. */
  tracker: string
  reference: string
  type: string
  /** Backlog level: 0 task, 1 requirement (story), 2 feature, 3 epic…; null when on no backlog. */
  level: number | null
  title: string
  state: string
  stateCategory: StateCategory | null
  assignedTo: { displayName: string; uniqueName: string | null } | null
  areaPath: string
  iterationPath: string
  tags: readonly string[]
  storyPoints: number | null
  priority: number | null
  parentId: number | null
  blocked: readonly { by: 'tag' | 'field' | 'predecessor'; itemId: number | null; evidence: string }[]
  /** ISO 8601 UTC with milliseconds, as is `fetchedAt`. */
  changedAt: string
  fetchedAt: string
  /** Read from an exported file instead of the tracker. */
  isFromFile: boolean
}

export const TASK_LEVEL = 0
export const REQUIREMENT_LEVEL = 1

type Stateful = Pick<ReportItem, 'stateCategory'>

export function isRemoved(item: Stateful): boolean {
  return item.stateCategory === 'Removed'
}

export function isDone(item: Stateful): boolean {
  return item.stateCategory === 'Completed'
}

/** Neither done nor removed; an item of unknown category is open. */
export function isOpen(item: Stateful): boolean {
  return !isDone(item) && !isRemoved(item)
}

export function isInProgress(item: Stateful): boolean {
  return item.stateCategory === 'InProgress' || item.stateCategory === 'Resolved'
}

export function listBlockers(item: ReportItem): Blocker[] {
  if (isRemoved(item)) return []
  return item.blocked.map(({ by, itemId, evidence }) => ({ id: item.id, signal: by, itemId, evidence }))
}
