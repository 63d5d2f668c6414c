import { type Kysely, sql } from 'kysely'
import type { Engine } from '../../storage'
import { addIfSupported } from './add-if-supported'

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
