export type { RequestLimits as Limits } from '../services/request-limits'
export { openAzureDevOpsTracker, type TrackerSettings } from './azure-devops-tracker'
