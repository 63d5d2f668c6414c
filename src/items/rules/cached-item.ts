import type { LongText, Person, StateCategory } from '../../tracker'
import type { Blocker, FileSource, WorkItem } from '../schemas'
import type { Predecessor } from './blockers'

export interface CachedItem {
  id: number
  rev: number
  type: string
  /** Backlog level: 0 task, 1 story, 2 feature, 3 epic…; null if it is on no backlog. */
  level: number | null
  title: string
  state: string
  stateCategory: StateCategory | null
  assignedTo: Person | null
  areaPath: string
  iterationPath: string
  tags: string[]
  storyPoints: number | null
  priority: number | null
  parentId: number | null
  predecessors: Predecessor[]
  description: LongText | null
  acceptanceCriteria: LongText | null
  blocked: Blocker[]
  url: string
  changedAt: string
  relationsFingerprint: string
  remoteRev: number
  fetchedAt: string
  /** The file that it was read from; null if the tracker provided it. */
  fromFile: FileSource | null
}

export function toWorkItem(item: CachedItem): WorkItem {
  const { level: _level, predecessors: _predecessors, relationsFingerprint: _fingerprint, ...shown } = item
  return {
    ...shown,
    description: item.description?.text ?? null,
    descriptionFormat: item.description?.format ?? null,
    acceptanceCriteria: item.acceptanceCriteria?.text ?? null,
    acceptanceCriteriaFormat: item.acceptanceCriteria?.format ?? null,
    localRev: item.rev,
  }
}
