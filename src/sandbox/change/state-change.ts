import { findState, type ItemType, type StateCategory } from '../process/item-types'
import type { FieldValue } from '../state/state'

const stamps: Partial<Record<StateCategory, string>> = {
  InProgress: 'Activated',
  Resolved: 'Resolved',
  Completed: 'Closed',
}

/** In which categories the stamp of another still holds: a closed item keeps when it was resolved, a reopened one does not. */
const keeps: Record<StateCategory, readonly string[]> = {
  Proposed: [],
  InProgress: [],
  Resolved: ['Activated'],
  Completed: ['Activated', 'Resolved'],
  Removed: ['Activated', 'Resolved', 'Closed'],
}

/** The fields that follow a change of state: the reason, and who came to this state when. */
export function followStateChange(
  type: ItemType,
  stateName: string,
  { at, by }: { at: string; by: string },
): Record<string, FieldValue | null> {
  const state = findState(type, stateName)!
  const set: Record<string, FieldValue | null> = {
    'System.Reason': state.reason,
    'Microsoft.VSTS.Common.StateChangeDate': at,
  }
  for (const stamp of Object.values(stamps)) {
    const [date, person] = [`Microsoft.VSTS.Common.${stamp}Date`, `Microsoft.VSTS.Common.${stamp}By`]
    if (stamps[state.category] === stamp) {
      set[date] = at
      set[person] = by
    } else if (!keeps[state.category].includes(stamp)) {
      set[date] = null
      set[person] = null
    }
  }
  return set
}
