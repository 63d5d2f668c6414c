import { detectTrackerKind, type TrackerKind } from './adapters'
import { openAzureDevOpsTracker } from './azure-devops/azure-devops-tracker'
import { openGitHubTracker } from './github/github-tracker'
import { openGitLabTracker } from './gitlab/gitlab-tracker'
import { openJiraTracker } from './jira/jira-tracker'
import { openLinearTracker } from './linear/linear-tracker'
import { confirmAbsence } from './services/confirm-absence'
import { refuseUnsupportedLinks } from './services/refuse-unsupported-links'
import { hasToken, type TrackerSettings } from './services/tracker-settings'
import type { Tracker } from './tracker'

/** Opens the tracker with the adapter of its kind. Without a kind, the address decides. The first request is sent with the first call. */
export function openTracker(settings: TrackerSettings & { kind?: TrackerKind | null }): Tracker {
  const tracker = openers[settings.kind ?? detectTrackerKind(settings.url)](settings)
  return confirmAbsence(refuseUnsupportedLinks(tracker), { hasToken: hasToken(settings), timing: settings.timing })
}

const openers: Record<TrackerKind, (settings: TrackerSettings) => Tracker> = {
  'azure-devops': openAzureDevOpsTracker,
  github: openGitHubTracker,
  gitlab: openGitLabTracker,
  jira: openJiraTracker,
  linear: openLinearTracker,
}
