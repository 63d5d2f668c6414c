/** Opens the configured tracker. The first request is sent with the first call. */
export { openAzureDevOpsTracker as openTracker, type TrackerSettings } from './azure-devops/azure-devops-tracker'
export type { ProxySettings } from './services/http-client'
export { inspectTracker } from './services/inspect-tracker'
export type * from './tracker'
