/** The kinds of trackers that have an adapter. */
export const TRACKER_KINDS = ['azure-devops', 'github', 'jira'] as const
export type TrackerKind = (typeof TRACKER_KINDS)[number]

/** The kinds as a text lists them: `azure-devops, github or jira`. */
export const TRACKER_KINDS_TEXT = `${TRACKER_KINDS.slice(0, -1).join(', ')} or ${TRACKER_KINDS.at(-1)}`

/** The name of the product. */
export const trackerProducts: Record<TrackerKind, string> = {
  'azure-devops': 'Azure DevOps',
  github: 'GitHub',
  jira: 'Jira',
}

/** The kind that an address suggests, by its host: `github.com`, `jira.example.com`. Azure DevOps if the host is of no other one. */
export function detectTrackerKind(url: string): TrackerKind {
  const host = hostOf(url)
  if (host === 'github.com' || host === 'ghe.com' || host.endsWith('.ghe.com') || host.startsWith('github.'))
    return 'github'
  return isJiraCloud(url) || host.startsWith('jira.') ? 'jira' : 'azure-devops'
}

/** Whether the address is a site of Jira Cloud, where a token works only together with its account. */
export function isJiraCloud(url: string): boolean {
  return hostOf(url).endsWith('.atlassian.net')
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : ''
}
