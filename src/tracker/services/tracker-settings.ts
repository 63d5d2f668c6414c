import type { LoginStore, ProxySettings } from '../../credentials'
import type { RequestLimits, Timing } from './requests/rate-limiter'
import type { SettingNames } from './setting-names'

/** How to reach a tracker of any kind. */
export interface TrackerSettings {
  /** Azure DevOps: host and organization. GitHub: host and owner, with or without the repository. Jira: the site. */
  url: string
  /** Azure DevOps: the project, or null for the only one that the token can see. GitHub: the repository, if `url` does not contain it. Jira: the key. */
  project: string | null
  /** A personal access token; null if the tracker requires none. */
  token: string | null
  /** A sign-in, for settings without `token`. */
  login?: LoginStore | null
  /** A command that prints a token, for settings without `token` and `login`. */
  tokenCommand?: string | null
  /** Jira Cloud: the e-mail address of the account that the token belongs to. */
  account?: string | null
  /** For requests to another machine. */
  proxy?: ProxySettings | null
  /** The name for messages (default: host and project). */
  name?: string
  /** Default: the names of the settings of the default tracker. */
  settingNames?: SettingNames
  /** The address of the web pages of items, if it is not `url`. */
  webUrl?: string
  /** GitHub: the number of the project board whose fields are read: status, iteration, points and others. */
  board?: number | null
  /** GitHub: labels that mean a work item type, as `label=Type`. */
  typeLabels?: readonly string[]
  limits?: Partial<RequestLimits>
  /** Called when requests wait because the tracker asked for a pause of some seconds. */
  onPause?(seconds: number): void
  /** Called with what users should know of an answer, such as what the tracker left out of it. */
  onNotice?(text: string): void
  /** Replaced by tests. */
  timing?: Timing
}

/** Whether requests carry a token. */
export function hasToken({
  token,
  login,
  tokenCommand,
}: Pick<TrackerSettings, 'token' | 'tokenCommand'> & { login?: unknown }): boolean {
  return Boolean(token || login || tokenCommand)
}
