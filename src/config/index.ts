export { listProtectedFiles, stripCredentials } from './services/credentials'
export { listSecrets } from './services/list-secrets'
export type { Setting } from './services/list-settings'
export { loadSettings, resolveDatabaseAddress, type Settings } from './services/load-settings'
export { type Paths, resolvePaths } from './services/paths'
export type { LogFormat, ServeFlags, ServeSettings } from './services/serve-settings'

/** Checks Node.js and studio's folders. */
export async function inspectHome(
  settings: import('./services/load-settings').Settings,
): Promise<import('../storage').Finding[]> {
  return (await import('./services/inspect-home')).inspectHome(settings)
}

/** Reports parts of the settings that are invalid. */
export async function inspectSettings(
  settings: import('./services/load-settings').Settings,
): Promise<import('../storage').Finding[]> {
  return (await import('./services/inspect-settings')).inspectSettings(settings)
}

/** Throws if any part of the settings is invalid. */
export async function requireValidSettings(settings: import('./services/load-settings').Settings): Promise<void> {
  ;(await import('./services/inspect-settings')).requireValidSettings(settings)
}

/** What is set of the trackers, and where. */
export async function listTrackerSettings(
  place: import('./services/paths').SettingsSource,
): Promise<import('./services/list-settings').Setting[]> {
  return (await import('./services/list-tracker-settings')).listTrackerSettings(place)
}
