import { randomInt, randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { accessMigration, inspectPeople, inspectPort, loadAccessPolicy } from './access'
import type { Model } from './assistant'
import { auditMigration, createRecorders } from './audit'
import { createBackground } from './background'
import { leaseMigration } from './background/lease'
import {
  inspectHome,
  inspectSettings,
  listProtectedFiles,
  listTrackerSettings,
  loadSettings,
  resolveDatabaseAddress,
  type ServeFlags,
  type Setting,
  type Settings,
  stripCredentials,
} from './config'
import { docksMigration, inspectTimeZones } from './docks'
import { draftsMigration } from './drafts'
import { inspectCreations, inspectSync, itemsMigration, type LocalFiles, nameItemsInError, resolveInput } from './items'
import {
  type Actor,
  type CallOrigin,
  type Clock,
  formatHint,
  type Hint,
  type Log,
  type OffersCapability,
  type Progress,
  type Surface,
  silentLog,
} from './kernel'
import { memoizeAsync } from './kernel/work/memoize-async'
import { type GivenTracker, type NoticeKind, openTrackers } from './open-trackers'
import { reportsMigration } from './reports'
import { createSearch, inspectIndex, searchMigration } from './search'
import {
  type Checkup,
  type Database,
  isDatabaseMissing,
  type Migration,
  openCopyTarget,
  openDatabase,
  openLazily,
  openMemoryDatabase,
  preferReplicas,
  watchDiskSpace,
} from './storage'
import type { StudioContext } from './studio-context'
import type { Tracker } from './tracker'

/**
 * The schema: one migration of each module, each after those whose tables it refers to. A database stores how many of them it has, so
 * after a release migrations are only added, at the end.
 */
export const migrations: readonly Migration[] = [
  itemsMigration,
  draftsMigration,
  reportsMigration,
  searchMigration,
  accessMigration,
  docksMigration,
  leaseMigration,
  auditMigration,
]

export interface Studio {
  settings: Settings
  /** Returns whether a tracker of the settings has a capability. */
  loadCapabilityTest(): Promise<OffersCapability>
  /** What is set of the trackers, and where. Of a secret only that it is set. */
  listTrackerSettings(): Promise<Setting[]>
  db: Database
  context(call: {
    actor: Actor
    signal?: AbortSignal
    progress?: (step: Progress) => void
    notice?: (text: Hint) => void
    /** Where the call comes from, if it is not of the surface of the process. */
    origin?: CallOrigin | Surface
  }): StudioContext
  close(): Promise<void>
}

export interface StudioOptions {
  env: NodeJS.ProcessEnv
  cwd: string
  flags?: ServeFlags & { tenant?: string }
  log?: Log
  clock?: Clock
  /** Receives notices about where the data comes from. A caller need not show notices of a `kind` each time. */
  onNotice?(text: string, kind?: NoticeKind): void
  /** What the calls of the process come from; by default what a service does by itself. */
  surface?: Surface
  /** Whether the process serves many calls, and keeps pages of the database in memory for them. */
  isService?: boolean
  /** The standard streams of the process, if it is a command. */
  streams?: Omit<LocalFiles, 'resolve'>
  /** Replaces the tracker of the settings. */
  openTracker?(): Promise<Tracker>
  /** Replaces the further trackers of the settings. */
  furtherTrackers?: readonly GivenTracker[]
  /** Replaces the database of the settings. */
  db?: Database
}

/** Creates the context of operations from the settings. The database, the tracker and the model are opened on first use. */
export function openStudio(options: StudioOptions): Studio {
  const settings = loadSettings(options)
  const clock: Clock = options.clock ?? { now: () => Date.now() }
  const search = createSearch({
    database: options.db ? null : settings.db,
    inFiles: settings.searchIndex,
    now: () => clock.now(),
    isService: options.isService ?? false,
    notice: (text) => options.onNotice?.(text),
  })
  const { observer, follower } = search
  const cache = options.isService ? { cacheBytes: settings.serve.pageCacheMb * 1024 * 1024 } : {}
  const db = watchDiskSpace(
    options.db ??
      openLazily(
        () => openDatabase(settings.db, migrations, { observer, follower, replicas: settings.dbRead, ...cache }),
        {
          isDatabaseMissing: () => isDatabaseMissing(settings.db),
          open: () => openMemoryDatabase(migrations),
        },
      ),
  )
  const background = createBackground()
  const trackers = openTrackers(settings, options)
  const openModelOnce = memoizeAsync(async () => (await import('./assistant')).openModel(settings.llm))
  const ids = { uuid: randomUUID, secret: randomSecret }
  const recorderFor = createRecorders({
    db,
    clock,
    ids,
    log: options.log ?? silentLog,
    keepDays: () => settings.audit.keepDays,
  })
  /** What all calls share. */
  const parts = {
    clock,
    ids,
    log: options.log ?? silentLog,
    background,
    db,
    ...(settings.dbRead !== null && { forReads: { db: preferReplicas(db) } }),
    locations: {
      current: settings.db,
      protectedFiles: listProtectedFiles(settings).others,
      get target() {
        return settings.dbTo
      },
      resolveAddress: (typed: string) => resolveDatabaseAddress(typed, { cwd: options.cwd, name: '--to' }),
      openTarget: (address: string) => openCopyTarget(address, migrations),
      migrations,
      openEmpty: () => openMemoryDatabase(migrations),
    },
    localFiles: { resolve: (path: string) => resolve(options.cwd, path), ...options.streams },
    search: search.indexes,
    formatHint: async (hint: Hint) => formatHint(hint, (await import('./catalog')).formatCommand),
    user: settings.user,
    sanitizeAlso: settings.sanitizeAlso,
    webhooks: settings.webhooks,
    mail: settings.mail,
    tracker: trackers.open,
    furtherTrackers: trackers.further,
    describeTracker: trackers.describe,
    findPublicUrl: () => settings.serve.publicUrl,
    givenReferences: new Map<number, string>(),
    syncMemory: { states: null },
    model: openModelOnce,
    templateFolder: join(settings.paths.config, 'prompts'),
    checkups: listCheckups(settings, {
      db,
      indexedDatabase: options.db ? null : settings.db,
      now: () => clock.now(),
      tracker: trackers.open,
      model: openModelOnce,
    }),
  }
  return {
    settings,
    async loadCapabilityTest() {
      // Nothing is known about a tracker that is given.
      if (options.openTracker) return () => true
      return (await import('./offered-capabilities')).createCapabilityTest(settings)
    },
    listTrackerSettings: () => listTrackerSettings(options),
    db,
    context({ actor, signal, progress, notice, origin = options.surface ?? 'background' }) {
      const context: StudioContext = {
        ...parts,
        actor,
        recorder: recorderFor(origin),
        signal: signal ?? new AbortController().signal,
        progress: progress ?? (() => {}),
        notice: eachOnce(notice ?? (() => {})),
        resolveInput: (op, input) => resolveInput(op, input, context),
        explainError: (error) => nameItemsInError(db, error, parts.givenReferences),
      }
      return context
    },
    async close() {
      await trackers.close()
      await background.close()
      await (await openModelOnce.current?.catch(() => null))?.close()
      await db.close()
      search.indexes.close()
    },
  }
}

/** For each server, so that `studio doctor` ends within seconds. */
const CHECKUP_TIMEOUT_MS = 8_000

interface CheckupParts {
  db: Database
  /** The database that the search index belongs to. */
  indexedDatabase: string | null
  now(): number
  tracker(name?: string): Promise<Tracker>
  model(): Promise<Model>
}

/** The checks of `studio doctor`: one for each part. */
function listCheckups(settings: Settings, { db, indexedDatabase, now, tracker, model }: CheckupParts): Checkup[] {
  const checkups: Checkup[] = [
    () => inspectHome(settings),
    async () => [await inspectIndex({ database: indexedDatabase, inFiles: settings.searchIndex })],
    ...[() => [null], () => settings.trackers].map((list) => async ({ offline }: Parameters<Checkup>[0]) => {
      const { hasToken, inspectTracker } = await import('./tracker')
      const inspect = (further: Settings['trackers'][number] | null) => {
        const { kind, url, token, isSignedIn, tokenCommand } = further ?? settings.tracker
        const name = further?.name ?? null
        return inspectTracker({
          name,
          kind,
          address: url === null ? null : stripCredentials(url),
          hasToken: hasToken({ token, tokenCommand, login: isSignedIn }),
          tracker: () => tracker(name ?? undefined),
          offline,
          timeoutMs: CHECKUP_TIMEOUT_MS,
        })
      }
      return (await Promise.all(list().map(inspect))).flat()
    }),
    async ({ offline }) => {
      const { inspectModel } = await import('./assistant')
      const { host, model: preferred } = settings.llm
      return inspectModel({ host, preferred, model, offline, timeoutMs: CHECKUP_TIMEOUT_MS })
    },
    async () => [await inspectPort(settings.serve, { timeoutMs: CHECKUP_TIMEOUT_MS })],
    async ({ mayRead }) =>
      (await loadAccessPolicy()).inspectAccess({ ...settings.serve, ...settings.auth }, mayRead ? db : null, now()),
    ({ offline }) => inspectPeople(settings.auth.oidc, offline),
    async ({ offline }) => (await import('./mail')).inspectMailServer(settings.mail, offline),
    ({ mayRead }) => inspectTimeZones(mayRead ? db : null, now()),
    ({ mayRead }) => inspectCreations(mayRead ? db : null),
    ({ mayRead }) => inspectSync(mayRead ? db : null, now()),
  ]
  return [() => inspectSettings(settings), ...checkups.map((checkup) => skipIfInvalid(checkup, settings))]
}

/** A part whose settings are invalid cannot be checked. They are reported once. */
function skipIfInvalid(checkup: Checkup, settings: Settings): Checkup {
  return async (bounds) => {
    try {
      return await checkup(bounds)
    } catch (error) {
      const reported = await inspectSettings(settings)
      if (error instanceof Error && reported.some(({ message }) => message === error.message)) return []
      throw error
    }
  }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function randomSecret(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('')
}

/** Passes each text on once, because a transaction that runs again repeats its notices. */
function eachOnce(notice: (text: Hint) => void): (text: Hint) => void {
  const given = new Set<string>()
  return (text) => {
    const key = JSON.stringify(text)
    if (!given.has(key)) notice(text)
    given.add(key)
  }
}
