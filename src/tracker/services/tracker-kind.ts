/** The kinds of trackers that have an adapter. */
export const TRACKER_KINDS = ['azure-devops', 'github', 'jira'] as const
export type TrackerKind = (typeof TRACKER_KINDS)[number]

/** The name of the product. */
export const trackerProducts: Record<TrackerKind, string> = {
  'azure-devops': 'Azure DevOps',
  github: 'GitHub',
  jira: 'Jira',
}

/** The kind that an address suggests, by its host: `github.com`, `jira.example.com`. Azure DevOps if the host is of no other one. */
export function detectTrackerKind(url: string): TrackerKind {
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase() : ''
  if (host === 'github.com' || host === 'ghe.com' || host.endsWith('.ghe.com') || host.startsWith('github.'))
    return 'github'
  return host.endsWith('.atlassian.net') || host.startsWith('jira.') ? 'jira' : 'azure-devops'
}
