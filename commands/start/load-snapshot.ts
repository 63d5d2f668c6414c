import { existsSync } from 'node:fs'
import { loadSettings } from '../../src/config'
import { hashSources, type SettingsSnapshot } from '../../src/config/services/settings-snapshot'
import { storeSnapshot, toSnapshot } from '../../src/config/services/store-snapshot'
import type { Terminal } from './invocation'
import { version } from './version'

/**
 * Reads and checks the settings, and stores their snapshot for the next command if there is a database. `hash` is that of the sources
 * before they were read: if another process has changed them since, the snapshot is that of neither. Throws if they are invalid.
 */
export async function loadSnapshot(terminal: Terminal, hash: string | null): Promise<SettingsSnapshot | null> {
  const snapshot = toSnapshot(loadSettings(terminal))
  const isCurrent = hash !== null && hash === hashSources(terminal, version)
  if (snapshot && isCurrent && existsSync(snapshot.database)) await storeSnapshot(terminal, hash, snapshot)
  return snapshot
}
