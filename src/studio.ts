import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { accessMigration } from './access'
import { loadSettings, type Settings } from './config'
import { docksMigration } from './docks'
import { type Actor, type Clock, type Context, type Log, type Progress, silentLog } from './kernel'
import { createSearchIndexes, type SearchContext } from './search'
import { type Database, openDatabase, openLazily, type StorageContext } from './storage'
import type { Tracker, TrackerContext } from './tracker'
import { workspaceMigration } from './workspace'

/** The schema: every slice's steps, in the order in which they were released. */
export const migrations = [workspaceMigration, docksMigration, accessMigration]

/** What an operation can ask for. */
export interface StudioContext extends Context, StorageContext, TrackerContext, SearchContext {
  /** Who `@me` is; null when nobody said. */
  user: string | null
}

export interface Studio {
  settings: Settings
  db: Database
  context(call: { actor: Actor; signal?: AbortSignal; progress?: (step: Progress) => void }): StudioContext
  close(): Promise<void>
}

export interface StudioOptions {
  env: NodeJS.ProcessEnv
  cwd: string
  flags?: { tenant?: string; host?: string; port?: number }
  log?: Log
  clock?: Clock
  /** Told once what a person should know about where the data comes from. */
  onNotice?(text: string): void
  /** In place of the tracker of the settings. */
  openTracker?(): Promise<Tracker>
  /** In place of the database of the settings. */
  db?: Database
}

/** Puts the parts together: settings -> context. Nothing is opened before an operation asks for it. */
export function openStudio(options: StudioOptions): Studio {
  const settings = loadSettings(options)
  const db = options.db ?? openLazily(() => openDatabase(settings.db, migrations))
  const search = createSearchIndexes()
  let tracker: Promise<OpenTracker> | null = null
  const openOnce = () => {
    tracker ??= options.openTracker
      ? options.openTracker().then((given) => ({ tracker: given, close: () => given.close() }))
      : trackerOf(settings, options.onNotice ?? (() => {}))
    return tracker
  }
  return {
    settings,
    db,
    context: ({ actor, signal, progress }) => ({
      actor,
      clock: options.clock ?? { now: () => Date.now() },
      ids: { uuid: randomUUID, secret: randomSecret },
      log: options.log ?? silentLog,
      signal: signal ?? new AbortController().signal,
      progress: progress ?? (() => {}),
      db,
      search,
      user: settings.user,
      tracker: async () => (await openOnce()).tracker,
    }),
    async close() {
      await (await tracker?.catch(() => null))?.close()
      await db.close()
    },
  }
}

interface OpenTracker {
  tracker: Tracker
  close(): Promise<void>
}

/** The tracker of the settings, or a sandbox in this process where none is named. */
async function trackerOf(settings: Settings, notice: (text: string) => void): Promise<OpenTracker> {
  const { openTracker } = await import('./tracker')
  if (settings.tracker.url !== null) {
    const tracker = openTracker({ ...settings.tracker, url: settings.tracker.url })
    return { tracker, close: () => tracker.close() }
  }
  const { SANDBOX_PORT, startSandbox } = await import('./tracker/sandbox')
  // Its port is another one at each start: pages are told where `studio sandbox` serves them.
  const webOrigin = `http://127.0.0.1:${SANDBOX_PORT}`
  const sandbox = await startSandbox({ file: join(settings.paths.data, 'sandbox.json'), webOrigin })
  notice('No tracker is set (STUDIO_TRACKER_URL): working on the sandbox, a tracker with sample work on this machine.')
  const tracker = openTracker({
    name: 'sandbox',
    url: sandbox.url,
    project: sandbox.project,
    token: sandbox.token,
    webUrl: sandbox.webUrl,
  })
  const close = async () => {
    await tracker.close()
    await sandbox.close()
  }
  return { tracker, close }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Uniform: bytes that would favour the first characters are thrown away. */
function randomSecret(length: number): string {
  let secret = ''
  while (secret.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && secret.length < length) secret += BASE62[byte % 62]
  }
  return secret
}
