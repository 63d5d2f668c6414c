import { openAzureDevOpsTracker, type TrackerSettings } from './azure-devops'
import type { Tracker } from './tracker'

export type * from './tracker'
export type { TrackerSettings }

/** The tracker that the settings name. Nothing is asked of it before the first call. */
export function openTracker(settings: TrackerSettings): Tracker {
  return openAzureDevOpsTracker(settings)
}
