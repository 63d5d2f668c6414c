/** The tracker that the settings name. Nothing is asked of it before the first call. */
export { openAzureDevOpsTracker as openTracker, type TrackerSettings } from './azure-devops'
export { inspectTracker } from './inspect-tracker'
export type * from './told-item'
export type * from './tracker'
