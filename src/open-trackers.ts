import { join } from 'node:path'
import { type Settings, stripCredentials } from './config'
import { DEFAULT_TRACKER_NAME } from './kernel/text/item-reference'
import { type MemoizedAsync, memoizeAsync } from './kernel/work/memoize-async'
import type { FurtherTracker, Tracker, TrackerSettings } from './tracker'
import { detectTrackerKind } from './tracker/adapters'
import { SANDBOX_PORT } from './tracker/sample-site'
import { createUnknownTrackerError } from './tracker/unknown-tracker'

export type NoticeKind = 'sandbox'

/** A further tracker that does not come from the settings. */
export interface GivenTracker extends FurtherTracker {
  open(): Promise<Tracker>
}

interface TrackerOptions {
  /** Replaces the default tracker of the settings. */
  openTracker?(): Promise<Tracker>
  /** Replaces the further trackers of the settings. */
  furtherTrackers?: readonly GivenTracker[]
  onNotice?(text: string, kind?: NoticeKind): void
}

/** The trackers of a process. */
export interface Trackers {
  /** The default one, or the further one with a name. Each is opened once. */
  open(name?: string): Promise<Tracker>
  further: readonly FurtherTracker[]
  /** The default one, or the further one with a name; null for the sandbox and for no tracker of the settings. */
  describe(name: string): FurtherTracker | null
  /** Closes those that were opened. */
  close(): Promise<void>
}

interface OpenTracker {
  tracker: Tracker
  close(): Promise<void>
}

/** Opens the trackers of the settings, each with the first call that needs it. */
export function openTrackers(settings: Settings, options: TrackerOptions): Trackers {
  const notice = options.onNotice ?? (() => {})
  const given =
    options.furtherTrackers ??
    readOrFailLater(() => settings.trackers.map((entry) => describeFurther(entry, settings.paths, notice)))
  const openDefault = async () =>
    options.openTracker ? closeItself(await options.openTracker()) : openDefaultTracker(settings, notice)
  /** By name; '' is the default tracker. */
  const opened = new Map<string, MemoizedAsync<OpenTracker>>()
  const openOnce = (name: string, work: () => Promise<OpenTracker>) => {
    const open = opened.get(name) ?? memoizeAsync(work)
    opened.set(name, open)
    return open()
  }
  return {
    async open(name) {
      if (name === undefined) return (await openOnce('', openDefault)).tracker
      const further = given.find((each) => each.name === name)
      if (!further)
        throw createUnknownTrackerError(
          name,
          given.map((each) => each.name),
        )
      return (await openOnce(name, async () => closeItself(await further.open()))).tracker
    },
    further: readOrFailLater(() => given.map(({ name, kind, url, project }) => ({ name, kind, url, project }))),
    describe(name) {
      if (name !== DEFAULT_TRACKER_NAME) return given.find((each) => each.name === name) ?? null
      const { url, kind, project } = settings.tracker
      return url === null ? null : { name, kind: kind ?? detectTrackerKind(url), url: stripCredentials(url), project }
    },
    async close() {
      for (const { current } of opened.values()) await (await current?.catch(() => null))?.close()
    },
  }
}

/** If the settings are invalid, the list throws that error when it is used, because most calls do not use it. */
function readOrFailLater<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch (error) {
    return new Proxy<T[]>([], {
      get() {
        throw error
      },
    })
  }
}

function closeItself(tracker: Tracker): OpenTracker {
  return { tracker, close: () => tracker.close() }
}

function describeFurther(
  { name, ...entry }: Settings['trackers'][number],
  paths: Settings['paths'],
  notice: (text: string) => void,
): GivenTracker {
  const { url, project } = entry
  return {
    name,
    kind: entry.kind ?? detectTrackerKind(url),
    url: stripCredentials(url),
    project,
    open: () => openSetTracker(entry, paths, createNotices(`The tracker ${name}`, notice)),
  }
}

type SetTracker = Omit<Settings['trackers'][number], 'name' | 'settingNames'> & Pick<TrackerSettings, 'settingNames'>

/** Opens a tracker of the settings, with the sign-in that is stored for it. */
async function openSetTracker(
  { isSignedIn, ...settings }: SetTracker,
  paths: Settings['paths'],
  notices: Pick<TrackerSettings, 'onPause' | 'onNotice'>,
): Promise<Tracker> {
  if (!isSignedIn) return openWith({ ...settings, ...notices })
  const { openLoginStore } = await import('./config/services/logins')
  return openWith({ ...settings, login: openLoginStore(paths, stripCredentials(settings.url)), ...notices })
}

function createNotices(tracker: string, notice: (text: string) => void) {
  return {
    onPause: (seconds: number) => notice(`${tracker} asks for a pause of ${seconds} s. Waiting for its end.`),
    onNotice: notice,
  }
}

async function openWith(settings: TrackerSettings & { kind?: FurtherTracker['kind'] | null }): Promise<Tracker> {
  return (await import('./tracker')).openTracker(settings)
}

const SANDBOX_NOTICE =
  'No tracker is set (STUDIO_TRACKER_URL): working on the sandbox, a tracker with sample work on this machine.'

/** Opens the default tracker of the settings. If they name none, starts a sandbox in this process. */
async function openDefaultTracker(
  settings: Settings,
  notice: (text: string, kind?: NoticeKind) => void,
): Promise<OpenTracker> {
  const { url, hasSandboxNotice, ...others } = settings.tracker
  if (url !== null)
    return closeItself(await openSetTracker({ ...others, url }, settings.paths, createNotices('The tracker', notice)))
  const { startSandbox } = await import('./sandbox')
  // The port differs at each start, so links point to the fixed port of `studio sandbox`.
  const webOrigin = `http://127.0.0.1:${SANDBOX_PORT}`
  const sandbox = await startSandbox({ file: join(settings.paths.data, 'sandbox.json'), webOrigin })
  if (hasSandboxNotice) notice(SANDBOX_NOTICE, 'sandbox')
  const { project, token, webUrl } = sandbox
  const tracker = await openWith({ name: 'sandbox', url: sandbox.url, project, token, webUrl })
  const close = async () => {
    await tracker.close()
    await sandbox.close()
  }
  return { tracker, close }
}
