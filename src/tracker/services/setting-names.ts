/** What the settings of a tracker are called, so that an error says which one to change. */
export interface SettingNames {
  token: string
  tokenCommand: string
  url: string
  project: string
  account: string
  board: string
  /** The command that signs in to it. */
  login: string
}

export const DEFAULT_SETTING_NAMES: SettingNames = {
  token: 'STUDIO_TRACKER_TOKEN',
  tokenCommand: 'tracker.tokenCommand',
  url: 'STUDIO_TRACKER_URL',
  project: 'STUDIO_TRACKER_PROJECT',
  account: 'STUDIO_TRACKER_ACCOUNT',
  board: 'tracker.board',
  login: 'studio login',
}
