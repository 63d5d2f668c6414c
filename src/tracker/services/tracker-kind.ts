/** The kinds of trackers that have an adapter. */
export const TRACKER_KINDS = ['azure-devops', 'github'] as const
export type TrackerKind = (typeof TRACKER_KINDS)[number]

/** The name of the product. */
export const trackerProducts: Record<TrackerKind, string> = { 'azure-devops': 'Azure DevOps', github: 'GitHub' }

/** The kind that an address suggests: GitHub for github.com, ghe.com and hosts such as github.example.com, else Azure DevOps. */
export function detectTrackerKind(url: string): TrackerKind {
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase() : ''
  return host === 'github.com' || host === 'ghe.com' || host.endsWith('.ghe.com') || host.startsWith('github.')
    ? 'github'
    : 'azure-devops'
}
