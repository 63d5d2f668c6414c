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
