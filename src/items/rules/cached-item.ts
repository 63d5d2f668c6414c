import type { LongText } from '../../tracker'
import type { WorkItem } from '../schemas'
import type { Predecessor } from './blockers'

type TextField = 'description' | 'descriptionFormat' | 'acceptanceCriteria' | 'acceptanceCriteriaFormat'

export interface CachedItem extends Omit<WorkItem, TextField | 'localRev'> {
  /** Backlog level: 0 task, 1 story, 2 feature, 3 epic…; null if it is on no backlog. */
  level: number | null
  predecessors: Predecessor[]
  description: LongText | null
  acceptanceCriteria: LongText | null
  relationsFingerprint: string
}

/** Names each field, because leaving some out of a copy takes many times as long, and lists have tens of thousands of items. */
export function toWorkItem(item: CachedItem): WorkItem {
  return {
    id: item.id,
    tracker: item.tracker,
    reference: item.reference,
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
