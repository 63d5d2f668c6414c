import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { isRecord, parseJson } from '../../kernel/json'
import type { TrackerKind } from '../../tracker/adapters'
import { environmentVariables } from './environment-variables'
import { findProjectFile, getTrustFile, type Paths, readConfigFile, resolvePaths, type SettingsSource } from './paths'

/**
 * What a command that answers without loading the program needs of the settings. It is stored, because reading and checking the settings
 * takes longer than a search.
 */
export interface SettingsSnapshot {
  /** The path of the database file. */
  database: string
  /** Whether the search index is stored in files beside the database. */
  isIndexed: boolean
  /** The user that `@me` means; null if not set. */
  user: string | null
  tenant: string
  /** The kinds of the default tracker and of the further ones. */
  trackerKinds: TrackerKind[]
}

/**
 * A hash of everything that these settings depend on; null if they cannot be stored: a file cannot be read, or a variable contains a
 * password, which the hash could reveal.
 */
export function hashSources({ env, cwd }: SettingsSource, version: string): string | null {
  const paths = resolvePaths(env)
  const project = findProjectFile(cwd)
  const variables = environmentVariables.flatMap(({ name }) => (name.includes('TOKEN') ? [] : [[name, env[name]]]))
  if (variables.some(([, value]) => /:\/\/[^/]*@|[?&]password=/i.test(value ?? ''))) return null
  const files = [join(paths.config, 'config.json'), project, project && getTrustFile(paths)]
  try {
    const texts = files.map((file) => file && readConfigFile(file))
    // The same relative home is another folder in each folder.
    const folders = Object.values(paths).map((path) => resolve(path))
    const decides = [version, folders, variables, env['STUDIO_DB'] ? cwd : null, project, texts]
    return createHash('sha256').update(JSON.stringify(decides)).digest('hex')
  } catch {
    return null
  }
}

/** The snapshot that a command with the same hash of its sources has written; null if none has. */
export function readSnapshot({ env }: SettingsSource, hash: string): SettingsSnapshot | null {
  return readSnapshots(resolvePaths(env))[hash] ?? null
}

/** The file of the snapshots, by their hashes. */
export function snapshotFile({ state }: Paths): string {
  return join(state, 'settings-snapshots.json')
}

/** None if the file is missing or damaged. */
export function readSnapshots(paths: Paths): Record<string, SettingsSnapshot> {
  try {
    const stored = parseJson(readConfigFile(snapshotFile(paths)) ?? '')
    return isRecord(stored) ? (stored as Record<string, SettingsSnapshot>) : {}
  } catch {
    return {}
  }
}
