import type { LongText, Person, StateCategory } from '../../tracker'
import type { FileSource, WorkItem } from '../schemas'
import type { Blocker, Predecessor } from './blockers'

/** A work item as the workspace keeps it. */
export interface CachedItem {
  id: number
  rev: number
  type: string
  /** Backlog level: 0 task, 1 story, 2 feature, 3 epic…; null when on no backlog. */
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
  /** The file that told it; null where the tracker did. */
  fromFile: FileSource | null
}

/** A cached item as every surface shows it. */
export function toWorkItem(item: CachedItem): WorkItem {
  return {
    id: item.id,
    rev: item.rev,
    type: item.type,
    title: item.title,
    state: item.state,
    stateCategory: item.stateCategory,
    assignedTo: item.assignedTo,
    areaPath: item.areaPath,
    iterationPath: item.iterationPath,
    tags: item.tags,
    storyPoints: item.storyPoints,
    priority: item.priority,
    parentId: item.parentId,
    description: item.description?.text ?? null,
    descriptionFormat: item.description?.format ?? null,
    acceptanceCriteria: item.acceptanceCriteria?.text ?? null,
    acceptanceCriteriaFormat: item.acceptanceCriteria?.format ?? null,
    blocked: item.blocked,
    url: item.url,
    changedAt: item.changedAt,
    localRev: item.rev,
    remoteRev: item.remoteRev,
    fetchedAt: item.fetchedAt,
    fromFile: item.fromFile,
  }
}
