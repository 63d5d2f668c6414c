import { type Kysely, type RawBuilder, sql } from 'kysely'
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
async function addIfSupported(db: Kysely<any>, putUp: () => Promise<void>): Promise<void> {
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

/**
 * That no appointment comes to stand where its facility has its capacity in use already, whatever the code above the tables
 * does. Only what makes it worse is refused: where a facility was changed under what it had booked, more than it takes now may
 * stand there, and may be moved, shortened and ended.
 */
export async function addCapacityConstraint(db: Kysely<any>, engine: Engine, longestMs: number): Promise<void> {
  if (engine === 'postgres') await addIfSupported(db, () => addCapacityFunction(db, longestMs))
  else await addCapacityTriggers(db, longestMs)
}

/** For a time that the appointment held before: none. */
const NO_EARLIER_TIME = { from: sql.raw('new.start_at'), to: sql.raw('new.start_at') }

/** As the function below has it, within the one expression that a trigger of SQLite may have. */
async function addCapacityTriggers(db: Kysely<any>, longestMs: number): Promise<void> {
  const held = {
    from: sql`case when ${wasAtFacility} then old.start_at else new.start_at end`,
    to: sql`case when ${wasAtFacility} then old.end_at else new.start_at end`,
  }
  for (const [event, before] of [
    ['insert', NO_EARLIER_TIME],
    ['update of facility_id, status, start_at, end_at', held],
  ] as const) {
    await sql`
      create trigger ${sql.id(`appointment_within_capacity_on_${event.split(' ')[0]}`)}
      before ${sql.raw(event)} on appointment
      when new.status <> 'cancelled' and (
        select case when limited.places < limited.doors then limited.places <= ${maxConcurrentQuery(before, longestMs)} end
        from (${capacityQuery(sql.raw('new.facility_id'))}) as limited
      )
      begin
        select raise(abort, 'the facility is full at that time');
      end`.execute(db)
  }
}

/**
 * The facility's row is held, so that of two who write past the code the second sees what the first has put there; where its
 * view stands still it is told instead (40001) that the row was changed. The state of a refusal is that of an exclusion
 * constraint, and is met in the same way.
 */
async function addCapacityFunction(db: Kysely<any>, longestMs: number): Promise<void> {
  await sql`
    create function appointment_within_capacity() returns trigger language plpgsql as $guard$
    declare
      held_from bigint := new.start_at;
      held_to bigint := new.start_at;
      places bigint;
      doors bigint;
    begin
      if new.status = 'cancelled' then return null; end if;
      if tg_op = 'UPDATE' then
        if ${wasAtFacility} then
          if old.start_at <= new.start_at and new.end_at <= old.end_at then return null; end if;
          held_from := old.start_at;
          held_to := old.end_at;
        end if;
      end if;
      if current_setting('transaction_isolation') = 'repeatable read' then
        update facility set capacity = capacity where id = new.facility_id;
      else
        perform 1 from facility where id = new.facility_id for no key update;
      end if;
      select limited.places, limited.doors into places, doors from (${capacityQuery(sql.raw('new.facility_id'))}) as limited;
      if places < doors and places <= ${maxConcurrentQuery({ from: sql.raw('held_from'), to: sql.raw('held_to') }, longestMs)} then
        raise exclusion_violation using
          message = 'the facility is full at that time',
          schema = tg_table_schema, table = tg_table_name, constraint = 'appointment_within_capacity';
      end if;
      return null;
    end $guard$`.execute(db)
  await sql`
    create trigger appointment_within_capacity
    after insert or update of facility_id, status, start_at, end_at on appointment
    for each row execute function appointment_within_capacity()`.execute(db)
}

const wasAtFacility = sql.raw("old.status <> 'cancelled' and old.facility_id = new.facility_id")

/**
 * What a facility takes at one time, and how many doors it ever had. A door takes one at a time, so that nothing need be
 * counted where the first is not less.
 */
function capacityQuery(facilityId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select coalesce(facility.capacity, sum(door.active)) as places, count(*) as doors
    from facility inner join door on door.facility_id = facility.id
    where facility.id = ${facilityId} group by facility.id, facility.capacity`
}

/**
 * The most others that are under way at one moment of the new time, those apart in which the appointment stood already. Others
 * are counted where one begins or ends, after all that begins and ends at that moment. Bounded below as the search is.
 */
function maxConcurrentQuery(held: { from: RawBuilder<unknown>; to: RawBuilder<unknown> }, longestMs: number) {
  const others = sql`
    from appointment as other
    where other.facility_id = new.facility_id
      and other.id <> new.id
      and other.status <> 'cancelled'
      and other.start_at < new.end_at
      and other.start_at > new.start_at - ${sql.lit(longestMs)}
      and other.end_at > new.start_at`
  return sql`(
    select coalesce(max(under_way), 0) from (
      select moment, sum(change) over (order by moment range unbounded preceding) as under_way from (
        select case when other.start_at < new.start_at then new.start_at else other.start_at end as moment, 1 as change ${others}
        union all select other.end_at, -1 ${others}
        union all select ${held.to}, 0
      ) as changes
    ) as moments
    where moment >= new.start_at and moment < new.end_at and not (moment >= ${held.from} and moment < ${held.to})
  )`
}
