import { StudioError } from '../../kernel'
import type { SettingNames } from '../services/setting-names'
import { parseTrackerAddress, type TrackerAddress } from '../services/tracker-address'

/** A project of a Jira site. */
export interface JiraProject {
  /** The site, and `host/KEY` for display. */
  site: TrackerAddress
  /** In upper case. */
  key: string
}

export function parseJiraProject(url: string, project: string | null, names: SettingNames): JiraProject {
  const { base, label } = parseTrackerAddress(url, names.url)
  const key = (project ?? '').trim().toUpperCase()
  if (!/^[A-Z][A-Z0-9_]*$/.test(key)) {
    throw new StudioError('invalid', 'The settings do not specify a Jira project.', {
      hint: `Set ${names.project} to the key of the project: ABC for issues such as ABC-7.`,
    })
  }
  return { site: { base, label: `${label}/${key}` }, key }
}

/** The key of an issue of the site in upper case; null if the text is none. An issue that was moved has the key of another project, too. */
export function parseIssueKey(text: string): string | null {
  const issue = text.trim().toUpperCase()
  return /^[A-Z][A-Z0-9_]{0,99}-[1-9]\d{0,9}$/.test(issue) ? issue : null
}
