import { listSettings, listTokenSettings, type Setting } from './list-settings'
import type { SettingsSource } from './paths'

const SECRET_KEYS = /\.tokenCommand$/
const OTHER_KEYS = /\.sandboxNotice$/

/** The settings of the trackers that are set, with the variable or the file of each. Of a secret only that it is set. */
export function listTrackerSettings(place: SettingsSource): Setting[] {
  const isOfTracker = ({ key, value, source }: Setting) =>
    /^trackers?\./.test(key) && value !== null && source !== 'default' && !OTHER_KEYS.test(key)
  return [...listSettings(place), ...listTokenSettings(place)]
    .filter(isOfTracker)
    .map((setting) => (SECRET_KEYS.test(setting.key) ? { ...setting, value: 'set' } : setting))
}
