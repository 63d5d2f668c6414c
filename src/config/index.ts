export { listProtectedFiles } from './services/list-protected-files'
export { loadSettings, type Settings } from './services/load-settings'
export { type Paths, resolvePaths } from './services/paths'
export { resolveDatabaseAddress } from './services/resolve-database-address'
export type { LogFormat, ServeFlags, ServeSettings } from './services/serve-settings'
export { stripCredentials } from './services/strip-credentials'

/** What a check-up says of Node and the folders. */
export async function inspectHome(
  settings: import('./services/load-settings').Settings,
): Promise<import('../storage').Finding[]> {
  return (await import('./services/inspect-home')).inspectHome(settings)
}
