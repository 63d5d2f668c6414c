import { hashSources, readSnapshot, type SettingsSnapshot } from '../../src/config/services/settings-snapshot'
import { isLink } from '../../src/storage/services/file-link'
import type { Terminal } from './invocation'
import { version } from './version'

/** The settings for a command that answers without loading the program; null if it cannot, or they are invalid. */
export async function quickSettings(terminal: Terminal): Promise<SettingsSnapshot | null> {
  try {
    const hash = hashSources(terminal, version)
    const stored = hash && readSnapshot(terminal, hash)
    // Since then, the database may have been moved, with a link in its place.
    if (stored && isLink(stored.database)) return null
    return stored || (await (await import('./load-snapshot')).loadSnapshot(terminal, hash))
  } catch {
    return null
  }
}
