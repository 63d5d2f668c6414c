import { hint, suggest } from '../../../kernel'
import { formatAge } from '../../../kernel/text/age'
import { DEFAULT_TRACKER_NAME, describeItemsOf } from '../../../kernel/text/item-reference'
import { secondsSince } from '../../../kernel/time'
import { type Database, type Finding, ok, warning } from '../../../storage'
import { listSyncStates } from '../../queries'

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
    ageSeconds: secondsSince(checkedAt, now),
    failures,
    failure,
    nextAt: dueAt,
  }))
}

/** `The work items of gh are 3 hours old, because the last sync failed: …` Null if it succeeded. */
export function describeStaleness(status: SyncStatus): string | null {
  const { failure } = status
  return failure === null ? null : `${describeAge(status)}, because the last sync failed: ${failure.text}`
}

function describeAge({ tracker, ageSeconds }: SyncStatus): string {
  const items = describeItemsOf(tracker)
  return ageSeconds === null ? `${items} were never synchronized` : `${items} are ${formatAge(ageSeconds)} old`
}

/** Says how old the items of each tracker are, and warns of those whose last sync failed. */
export async function inspectSync(db: Database | null, now: number): Promise<Finding[]> {
  if (db === null) return []
  return (await readSyncStatus(db, now)).flatMap(describe)
}

function describe(status: SyncStatus): Finding[] {
  const stale = describeStaleness(status)
  if (stale !== null) return [warning('sync', stale, hint`To synchronize them: ${suggest('items.sync')}`)]
  return status.ageSeconds === null ? [] : [ok('sync', `${describeAge(status)}.`)]
}
