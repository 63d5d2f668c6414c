export { listProtectedFiles, stripCredentials } from './services/credentials'
export { loadSettings, resolveDatabaseAddress, type Settings } from './services/load-settings'
export { type Paths, resolvePaths } from './services/paths'
export type { LogFormat, ServeFlags, ServeSettings } from './services/serve-settings'

/** Checks Node.js and studio's folders. */
export async function inspectHome(
  settings: import('./services/load-settings').Settings,
): Promise<import('../storage').Finding[]> {
  return (await import('./services/inspect-home')).inspectHome(settings)
}
