import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { accessMigration, idempotencyRecordsMigration, inspectAccess, inspectPort, tokensMigration } from './access'
import { inspectModel, type Model, type ModelContext, openModel, type TemplatesContext } from './assistant'
import {
  inspectHome,
  listProtectedFiles,
  loadSettings,
  resolveDatabaseAddress,
  type ServeFlags,
  type Settings,
  stripCredentials,
} from './config'
import {
  dockCapacityMigration,
  dockChangesMigration,
  docksMigration,
  importedRowsMigration,
  inspectTimeZones,
} from './docks'
import { draftsMigration } from './drafts'
import { fileImportsMigration, iterationsMigration, mirrorMigration, workspaceMigration } from './items'
import {
  type Actor,
  type Clock,
  type Context,
  formatHint,
  type Hint,
  type Log,
  type Progress,
  silentLog,
} from './kernel'
import { prioritiesMigration } from './reports'
import { createSearch, inspectIndex, type SearchContext, searchLexemesMigration, serverIndexMigration } from './search'
import {
  type Checkup,
  type Database,
  isDatabaseMissing,
  openCopyTarget,
  openDatabase,
  openLazily,
  openMemoryDatabase,
  type StorageLocationsContext,
} from './storage'
import type { Tracker, TrackerContext } from './tracker'
import { SANDBOX_PORT } from './tracker/sample-site'

/** The schema: every slice's steps, in the order in which they were released. */
export const migrations = [
  workspaceMigration,
  docksMigration,
  accessMigration,
  dockChangesMigration,
  mirrorMigration,
  idempotencyRecordsMigration,
  draftsMigration,
  prioritiesMigration,
  tokensMigration,
  dockCapacityMigration,
  fileImportsMigration,
  serverIndexMigration,
  importedRowsMigration,
  iterationsMigration,
  searchLexemesMigration,
]

/** What an operation can ask for. */
export interface StudioContext
  extends Context,
    StorageLocationsContext,
    TrackerContext,
    SearchContext,
    ModelContext,
    TemplatesContext {
  /** Who `@me` is; null when nobody said. */
  user: string | null
  /** Optional kinds that sanitized copies lose too. */
  sanitizeAlso: Settings['sanitizeAlso']
  formatHint(hint: Hint): Promise<string>
  /** What the parts have to say of themselves when studio is looked over. */
  checkups: readonly Checkup[]
}

export interface Studio {
  settings: Settings
  db: Database
  context(call: { actor: Actor; signal?: AbortSignal; progress?: (step: Progress) => void }): StudioContext
  close(): Promise<void>
}

export type NoticeKind = 'sandbox'

export interface StudioOptions {
  env: NodeJS.ProcessEnv
  cwd: string
  flags?: ServeFlags & { tenant?: string }
  log?: Log
  clock?: Clock
  /** Told what a person should know about where the data comes from; `kind` marks a notice that need not be shown each time. */
  onNotice?(text: string, kind?: NoticeKind): void
  /** In place of the tracker of the settings. */
  openTracker?(): Promise<Tracker>
  /** In place of the database of the settings. */
  db?: Database
}

/** Puts the parts together: settings -> context. Nothing is opened before an operation asks for it. */
export function openStudio(options: StudioOptions): Studio {
  const settings = loadSettings(options)
  const search = createSearch({
    database: options.db ? null : settings.db,
    inFiles: settings.searchIndex,
    now: () => (options.clock ?? Date).now(),
    notice: (text) => options.onNotice?.(text),
  })
  const { observer, follower } = search
  const db =
    options.db ??
    openLazily(() => openDatabase(settings.db, migrations, { observer, follower }), {
      isDatabaseMissing: () => isDatabaseMissing(settings.db),
      open: () => openMemoryDatabase(migrations),
    })
  let model: Promise<Model> | null = null
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
      locations: {
        current: settings.db,
        protectedFiles: listProtectedFiles(settings).others,
        target: settings.dbTo,
        resolveAddress: (typed) => resolveDatabaseAddress(typed, { cwd: options.cwd, name: '--to' }),
        openTarget: (address) => openCopyTarget(address, migrations),
        migrations,
        openEmpty: () => openMemoryDatabase(migrations),
      },
      search: search.indexes,
      formatHint: async (hint) => formatHint(hint, (await import('./catalog')).formatCommand),
      user: settings.user,
      sanitizeAlso: settings.sanitizeAlso,
      tracker: async () => (await openOnce()).tracker,
      model() {
        model ??= openModel(settings.llm)
        return model
      },
      templateFolder: join(settings.paths.config, 'prompts'),
      checkups: checkupsOf(settings, {
        db,
        search: options.db ? null : settings.db,
        now: () => (options.clock ?? Date).now(),
        tracker: async () => (await openOnce()).tracker,
        model() {
          model ??= openModel(settings.llm)
          return model
        },
      }),
    }),
    async close() {
      await (await tracker?.catch(() => null))?.close()
      await (await model?.catch(() => null))?.close()
      await db.close()
      search.indexes.close()
    },
  }
}

/** For each server that is asked: whoever waits for a check-up shall have it within seconds. */
const CHECKUP_MS = 8_000

interface Checked {
  db: Database
  /** The database that the search index goes with. */
  search: string | null
  now(): number
  tracker(): Promise<Tracker>
  model(): Promise<Model>
}

/** What each part has to say when studio is looked over. */
function checkupsOf(settings: Settings, { db, search, now, tracker, model }: Checked): Checkup[] {
  const { serve, auth, llm } = settings
  const { url, token } = settings.tracker
  return [
    () => inspectHome(settings),
    async () => [await inspectIndex({ database: search, inFiles: settings.searchIndex })],
    async ({ offline }) => {
      const { inspectTracker } = await import('./tracker')
      const address = url === null ? null : stripCredentials(url)
      return inspectTracker({
        address,
        hasToken: token !== null,
        tracker,
        offline,
        timeoutMs: CHECKUP_MS,
      })
    },
    ({ offline }) => inspectModel({ host: llm.host, preferred: llm.model, model, offline, timeoutMs: CHECKUP_MS }),
    async () => [await inspectPort(serve, { timeoutMs: CHECKUP_MS })],
    ({ mayRead }) => inspectAccess({ ...serve, ...auth }, mayRead ? db : null, now()),
    ({ mayRead }) => inspectTimeZones(mayRead ? db : null, now()),
  ]
}

const SANDBOX_NOTICE =
  'No tracker is set (STUDIO_TRACKER_URL): working on the sandbox, a tracker with sample work on this machine.'

interface OpenTracker {
  tracker: Tracker
  close(): Promise<void>
}

/** The tracker of the settings, or a sandbox in this process where none is named. */
async function trackerOf(settings: Settings, notice: (text: string, kind?: NoticeKind) => void): Promise<OpenTracker> {
  const { openTracker } = await import('./tracker')
  if (settings.tracker.url !== null) {
    const { url, project, token, proxy } = settings.tracker
    const onPause = (seconds: number) => notice(`The tracker asks for a pause of ${seconds} s. Waiting for its end.`)
    const tracker = openTracker({ url, project, token, proxy, onPause })
    return { tracker, close: () => tracker.close() }
  }
  const { startSandbox } = await import('./sandbox')
  // Its port is another one at each start: pages are told where `studio sandbox` serves them.
  const webOrigin = `http://127.0.0.1:${SANDBOX_PORT}`
  const sandbox = await startSandbox({ file: join(settings.paths.data, 'sandbox.json'), webOrigin })
  if (settings.tracker.hasSandboxNotice) notice(SANDBOX_NOTICE, 'sandbox')
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
