import { StudioError } from '../../kernel'
import { isLoopbackHost, parseTrackerAddress, type TrackerAddress } from '../services/tracker-address'

/** A project of a Jira site. */
export interface JiraProject {
  /** The site, and `host/KEY` for display. */
  site: TrackerAddress
  /** In upper case. */
  key: string
}

export function parseJiraProject(url: string, project: string | null): JiraProject {
  const { base, label } = parseTrackerAddress(url)
  const key = (project ?? '').trim().toUpperCase()
  if (!/^[A-Z][A-Z0-9_]*$/.test(key)) {
    throw new StudioError('invalid', 'The settings name no project of Jira.', {
      hint: 'Set STUDIO_TRACKER_PROJECT to the key of the project: ABC for issues such as ABC-7.',
    })
  }
  return { site: { base, label: `${label}/${key}` }, key }
}

/** `host/KEY` in lower case. The port on this machine does not count, because a test server has another one each time. */
export function createProjectIdentity({ site, key }: JiraProject): string {
  const { host, hostname, pathname } = new URL(site.base)
  const path = pathname.replace(/(?<!\/)\/+$/, '')
  return `${isLoopbackHost(hostname) ? 'localhost' : host}${path}/${key}`.toLowerCase()
}

/** The key of an issue of the project in upper case; null if the text is none. */
export function parseIssueKey(text: string, { key }: JiraProject): string | null {
  const issue = text.trim().toUpperCase()
  return issue.startsWith(`${key}-`) && /^[1-9]\d{0,9}$/.test(issue.slice(key.length + 1)) ? issue : null
}
