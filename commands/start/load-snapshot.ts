import { existsSync } from 'node:fs'
import { loadSettings } from '../../src/config'
import { type SettingsSnapshot, toSnapshot, writeSnapshot } from '../../src/config/services/settings-snapshot'
import type { Terminal } from './invocation'
import { version } from './version'

/** Reads and checks the settings, and stores their snapshot for the next command if there is a database. Throws if they are invalid. */
export function loadSnapshot(terminal: Terminal): SettingsSnapshot | null {
  const snapshot = toSnapshot(loadSettings(terminal))
  if (snapshot && existsSync(snapshot.database)) writeSnapshot(terminal, version, snapshot)
  return snapshot
}
