/** The tracker that the settings name. Nothing is asked of it before the first call. */
export { openAzureDevOpsTracker as openTracker, type TrackerSettings } from './azure-devops'
export type * from './imported-item'
export { inspectTracker } from './services/inspect-tracker'
export type * from './tracker'
