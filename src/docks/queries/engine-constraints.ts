import { type Kysely, sql } from 'kysely'
import { StudioError } from '../../kernel'
import type { Engine } from '../../storage'

/** That no two appointments hold a door at one time, whatever the code above the tables does; by each engine's own means. */
export async function addDoorConstraint(db: Kysely<any>, engine: Engine, longestMs: number): Promise<void> {
  if (engine === 'postgres') await addIfSupported(db, () => addExclusionConstraint(db))
  else await addDoorTriggers(db, longestMs)
}

/** SQLite has no exclusion constraint. Bounded below by the longest appointment, so that the index on starts is enough. */
async function addDoorTriggers(db: Kysely<any>, longestMs: number): Promise<void> {
  for (const event of ['insert', 'update'] as const) {
    await sql`
      create trigger ${sql.id(`appointment_door_free_on_${event}`)}
      before ${sql.raw(event)} on appointment
      when new.status <> 'cancelled' and exists (
        select 1 from appointment as other
        where other.door_id = new.door_id
          and other.id <> new.id
          and other.status <> 'cancelled'
          and other.start_at < new.end_at
          and other.start_at > new.start_at - ${sql.lit(longestMs)}
          and other.end_at > new.start_at
      )
      begin
        select raise(abort, 'the door is taken at that time');
      end`.execute(db)
  }
}

/** Its extension may be missing, and the role not be allowed to make it. */
async function addExclusionConstraint(db: Kysely<any>): Promise<void> {
  await sql`create extension if not exists btree_gist`.execute(db)
  await sql`
    alter table appointment add constraint appointment_door_free
    exclude using gist (door_id with =, int8range(start_at, end_at) with &&) where (status <> 'cancelled')`.execute(db)
}

/**
 * Puts up a guard that only some servers can have: the role may not be allowed to, and engines that merely speak PostgreSQL's
 * protocol lack one thing or the other. The docks hold their facility's row while they decide, and do not lean on it.
 */
export async function addIfSupported(db: Kysely<any>, putUp: () => Promise<void>): Promise<void> {
  await sql`savepoint before_guard`.execute(db)
  try {
    await putUp()
  } catch {
    await sql`rollback to savepoint before_guard`.execute(db)
  }
}

/** What the guards of the tables say, on either engine. */
const GUARDS = /the door is taken at that time|the facility is full at that time|appointment_door_free/

/**
 * The code has found the place free within the transaction that a guard refused: something has put an appointment there that
 * does not go by the code. Null for any other error.
 */
export function toConstraintError(error: unknown): StudioError | null {
  if (!(error instanceof Error) || !GUARDS.test(error.message)) return null
  return new StudioError(
    'database_busy',
    'Another program has taken that place at the same time; nothing was changed.',
    {
      hint: 'Try again.',
      retryAfterSeconds: 1,
      cause: error,
    },
  )
}
