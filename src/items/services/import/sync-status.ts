import { hint, suggest } from '../../../kernel'
import { formatAge } from '../../../kernel/text/age'
import { DEFAULT_TRACKER_NAME } from '../../../kernel/text/item-reference'
import { SECOND_MS } from '../../../kernel/time'
import { type Database, type Finding, warning } from '../../../storage'
import { listSyncStates } from '../../queries'
import type { WorkspaceContext } from '../workspace-context'

/** How old the cached items of a tracker are, and why. */
export interface SyncStatus {
  /** The name in the settings, or `default`. */
  tracker: string
  /** When all its cached items were last compared with it, ISO 8601; null if they never were. */
  checkedAt: string | null
  ageSeconds: number | null
  /** How often the sync of a service has failed since then. */
  failures: number
  failure: { code: string; text: string } | null
  /** When a service synchronizes it next, ISO 8601; null if none has done it yet. */
  nextAt: string | null
}

/** The trackers that have given items, the default one first. */
export async function readSyncStatus(db: Pick<Database, 'read'>, now: number): Promise<SyncStatus[]> {
  const states = await db.read(listSyncStates, { createsNone: true })
  return states.map(({ name, checkedAt, failures, failure, dueAt }) => ({
    tracker: name ?? DEFAULT_TRACKER_NAME,
    checkedAt,
    ageSeconds: checkedAt === null ? null : Math.max(0, Math.round((now - Date.parse(checkedAt)) / SECOND_MS)),
    failures,
    failure,
    nextAt: dueAt,
  }))
}

/** `The work items of gh are 3 hours old: the tracker does not accept the token.` Null if the last sync succeeded. */
export function describeStaleness({ tracker, ageSeconds, failure }: SyncStatus): string | null {
  if (failure === null) return null
  const items = tracker === DEFAULT_TRACKER_NAME ? 'The work items' : `The work items of ${tracker}`
  const age = ageSeconds === null ? 'were never synchronized' : `are ${formatAge(ageSeconds)} old`
  return `${items} ${age}, because the last sync failed: ${failure.text}`
}

/** Says why the items of a list are old, if the sync of a service has failed. */
export async function noteStaleness({ db, clock, notice }: WorkspaceContext): Promise<void> {
  for (const status of await readSyncStatus(db, clock.now())) {
    const text = describeStaleness(status)
    if (text !== null) notice(text)
  }
}

/** Warns of trackers whose last sync failed. */
export async function inspectSync(db: Database | null, now: number): Promise<Finding[]> {
  if (db === null) return []
  const stale = (await readSyncStatus(db, now)).flatMap((status) => describeStaleness(status) ?? [])
  return stale.map((message) => warning('sync', message, hint`To see what the tracker says: ${suggest('items.sync')}`))
}
