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
    return hashText(JSON.stringify(decides))
  } catch {
    return null
  }
}

/**
 * 128 bits that differ between any two sources that a user has had. It is no cryptographic hash, which would take longer to load than the
 * rest of the settings. Somebody who writes sources with the hash of others only chooses among the settings that this user has stored.
 */
function hashText(text: string): string {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = b! ^ Math.imul(a! ^ unit, 597399067)
    b = c! ^ Math.imul(b! ^ unit, 2869860233)
    c = d! ^ Math.imul(c! ^ unit, 951274213)
    d = a ^ Math.imul(d! ^ unit, 2716044179)
  }
  return [a, b, c, d].map((word) => (word! >>> 0).toString(16).padStart(8, '0')).join('')
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
