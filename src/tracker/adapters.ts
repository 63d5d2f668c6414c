import { azureDevOps } from './azure-devops/description'
import { github } from './github/description'
import { gitlab } from './gitlab/description'
import { jira } from './jira/description'
import { linear } from './linear/description'
import type { AdapterDescription } from './services/adapter'

/** The adapters. An address that is of no other one is of the last. */
const adapters = [github, gitlab, jira, linear, azureDevOps] as const

export type TrackerKind = (typeof adapters)[number]['kind']

/** The kinds of trackers that have an adapter, in the order of lists and choices. */
export const TRACKER_KINDS = adapters.map(({ kind }) => kind).sort() as [TrackerKind, ...TrackerKind[]]

/** The kinds as a text lists them: `azure-devops, github, gitlab or jira`. */
export const TRACKER_KINDS_TEXT = `${TRACKER_KINDS.slice(0, -1).join(', ')} or ${TRACKER_KINDS.at(-1)}`

export function getAdapter(kind: TrackerKind): AdapterDescription {
  return adapters.find((adapter) => adapter.kind === kind)!
}

/** The kind that an address suggests, by its host: `github.com`, `jira.example.com`. */
export function detectTrackerKind(url: string): TrackerKind {
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase() : ''
  return adapters.find(({ hasHost }) => hasHost(host))!.kind
}
