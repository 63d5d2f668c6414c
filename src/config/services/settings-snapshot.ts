import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, parseJson } from '../../kernel/json'
import { detectTrackerKind, type TrackerKind } from '../../tracker/adapters'
import type { Settings } from './load-settings'
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

/** Null for a database on a server. Throws for invalid trackers. */
export function toSnapshot({ db, searchIndex, user, tenant, tracker, trackers }: Settings): SettingsSnapshot | null {
  if (/^postgres/.test(db)) return null
  const trackerKinds = [tracker, ...trackers].map(({ kind, url }) => kind ?? detectTrackerKind(url ?? ''))
  return { database: db, isIndexed: searchIndex, user, tenant, trackerKinds }
}

/** A user can have settings for each of several projects. */
const MAX_SNAPSHOTS = 16

/** The snapshot that a command with the same files and variables has written; null if none has. */
export function readSnapshot(source: SettingsSource, version: string): SettingsSnapshot | null {
  try {
    return readSnapshots(resolvePaths(source.env))[keyOf(source, version)] ?? null
  } catch {
    return null
  }
}

/** If this fails, for example because the home is read-only, the next command only takes longer. */
export function writeSnapshot(source: SettingsSource, version: string, snapshot: SettingsSnapshot): void {
  const paths = resolvePaths(source.env)
  try {
    const key = keyOf(source, version)
    const others = Object.entries(readSnapshots(paths)).slice(1 - MAX_SNAPSHOTS)
    mkdirSync(paths.state, { recursive: true, mode: 0o700 })
    const unfinished = `${snapshotFile(paths)}.${process.pid}`
    writeFileSync(unfinished, JSON.stringify(Object.fromEntries([...others, [key, snapshot]])), { mode: 0o600 })
    renameSync(unfinished, snapshotFile(paths))
  } catch {
    // The next command reads and checks the settings again.
  }
}

function snapshotFile({ state }: Paths): string {
  return join(state, 'settings-snapshots.json')
}

function readSnapshots(paths: Paths): Record<string, SettingsSnapshot> {
  try {
    const stored = parseJson(readFileSync(snapshotFile(paths), 'utf8'))
    return isRecord(stored) ? (stored as Record<string, SettingsSnapshot>) : {}
  } catch {
    return {}
  }
}

/** A hash of everything that these settings depend on. Throws if a variable contains a password, because the hash could reveal it. */
function keyOf({ env, cwd }: SettingsSource, version: string): string {
  const paths = resolvePaths(env)
  const project = findProjectFile(cwd)
  const variables = Object.entries(env).filter(([name]) => /^STUDIO_(?!.*TOKEN)/.test(name))
  if (variables.some(([, value]) => /:\/\/[^/]*@|[?&]password=/i.test(value!)))
    throw new Error('A variable contains a password')
  const files = [join(paths.config, 'config.json'), project, project && getTrustFile(paths)]
  const texts = files.map((file) => file && readConfigFile(file))
  const decides = [version, paths, variables.sort(), env['STUDIO_DB'] ? cwd : null, project, texts]
  return createHash('sha256').update(JSON.stringify(decides)).digest('hex')
}
