export { openAzureDevOpsTracker, type TrackerSettings } from './azure-devops-tracker'
export type { Limits } from './limits'
