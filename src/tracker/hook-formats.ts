import type { TrackerKind } from './adapters'
import { azureDevOpsHook } from './azure-devops/hook-format'
import { githubHook } from './github/hook-format'
import { gitlabHook } from './gitlab/hook-format'
import { jiraHook } from './jira/hook-format'
import { linearHook } from './linear/hook-format'
import type { HookFormat } from './services/hooks/hook-format'

export type { HookInstructions, HookRegistration, TrackerHook } from './services/hooks/hook-format'
export { type HookRequest, hasProof, isAuthentic } from './services/hooks/hook-request'
export { sendTestEvent } from './services/hooks/send-test-event'

const formats: Record<TrackerKind, HookFormat> = {
  'azure-devops': azureDevOpsHook,
  github: githubHook,
  gitlab: gitlabHook,
  jira: jiraHook,
  linear: linearHook,
}

export function getHookFormat(kind: TrackerKind): HookFormat {
  return formats[kind]
}
