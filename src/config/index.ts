export { databaseAddress } from './database-address'
export { ownFilesOf } from './own-files'
export { type Paths, pathsOf } from './paths'
export type { LogFormat, ServeFlags, ServeSettings } from './serve-settings'
export { loadSettings, type Settings } from './settings'
export { addressOf, type Withheld } from './trusted-addresses'

/** What a check-up says of Node and the folders. */
export async function inspectHome(settings: import('./settings').Settings): Promise<import('../storage').Finding[]> {
  return (await import('./inspect-home')).inspectHome(settings)
}
