import { type Kysely, type RawBuilder, sql } from 'kysely'
import { StudioError } from '../../../kernel'
import type { Engine } from '../../../storage'

/**
 * Whether an appointment takes a place at its door and of the capacity. One that is moving takes none, and keeps its right to the time that it
 * had, which a cancelled one loses. No other query meets one, because it moves within a transaction that reads no appointments meanwhile.
 */
export const takesPlace = (row: string) => sql.raw(`${row}.status <> 'cancelled' and ${row}.status <> 'moving'`)

/** Prevents overlapping appointments at a door in the database itself, with the means of each engine. */
export async function addDoorConstraint(db: Kysely<any>, engine: Engine, longestMs: number): Promise<void> {
  if (engine === 'postgres') await addIfSupported(db, () => addExclusionConstraint(db))
  else await addDoorTriggers(db, longestMs)
}

/** SQLite has no exclusion constraints. The lower bound on starts, the longest appointment, lets the triggers use the index. */
async function addDoorTriggers(db: Kysely<any>, longestMs: number): Promise<void> {
  for (const event of ['insert', 'update'] as const) {
    await sql`
      create trigger ${sql.id(`appointment_door_free_on_${event}`)}
      before ${sql.raw(event)} on appointment
      when ${takesPlace('new')} and exists (
        select 1 from appointment as other
        where other.door_id = new.door_id
          and other.id <> new.id
          and ${takesPlace('other')}
          and other.start_at < new.end_at
          and other.start_at > new.start_at - ${sql.lit(longestMs)}
          and other.end_at > new.start_at
      )
      begin
        select raise(abort, 'the door is taken at that time');
      end`.execute(db)
  }
}

/** The extension may be missing, and the role may not be allowed to create it. */
async function addExclusionConstraint(db: Kysely<any>): Promise<void> {
  await sql`create extension if not exists btree_gist`.execute(db)
  await sql`
    alter table appointment add constraint appointment_door_free
    exclude using gist (door_id with =, int8range(start_at, end_at) with &&) where (${takesPlace('appointment')})`.execute(
    db,
  )
}

/**
 * Adds a constraint if the server allows it: the role may lack the permission, and engines that only speak PostgreSQL's protocol lack
 * some features. Bookings do not depend on it, because they lock the row of their facility.
 */
async function addIfSupported(db: Kysely<any>, add: () => Promise<void>): Promise<void> {
  await sql`savepoint before_constraint`.execute(db)
  try {
    await add()
  } catch {
    await sql`rollback to savepoint before_constraint`.execute(db)
  }
}

/** The messages of the constraints, on either engine. */
const CONSTRAINT_MESSAGES = /the door is taken at that time|the facility is full at that time|appointment_door_free/

/**
 * The error of a violated constraint; null for any other error. The transaction found the slot free, so another program must have
 * written to the tables directly.
 */
export function toConstraintError(error: unknown): StudioError | null {
  if (!(error instanceof Error) || !CONSTRAINT_MESSAGES.test(error.message)) return null
  return new StudioError('database_busy', 'Another program booked that slot at the same time; nothing was changed.', {
    hint: 'Try again.',
    retryAfterSeconds: 1,
    cause: error,
  })
}

/** Whether a constraint of the appointments refused a row, as an error of the database or of `toConstraintError`. */
export function isRefusedByConstraint(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return toConstraintError(error) !== null || violatesUniqueness(error) || isRefusedByConstraint(error.cause)
}

/** The message of a server depends on its language. */
function violatesUniqueness(error: Error): boolean {
  return (error as { code?: unknown }).code === '23505' || /unique constraint/i.test(error.message)
}

/**
 * Prevents in the database itself that a facility has more concurrent appointments than its capacity. Only changes that make it worse
 * are refused: if the capacity was reduced below what is booked, those appointments may still be moved, shortened, completed and
 * cancelled.
 */
export async function addCapacityConstraint(db: Kysely<any>, engine: Engine, longestMs: number): Promise<void> {
  if (engine === 'postgres') await addIfSupported(db, () => addCapacityFunction(db, longestMs))
  else await addCapacityTriggers(db, longestMs)
}

/** An empty span, for an appointment that had no earlier time. */
const NO_EARLIER_TIME = { from: sql.raw('new.start_at'), to: sql.raw('new.start_at') }

/** Does the same as the PostgreSQL function below, in the single expression that a SQLite trigger may have. */
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
      when ${takesPlace('new')} and (
        select case when limited.places < limited.doors then limited.places <= ${maxConcurrentQuery(before, longestMs)} end
        from (${capacityQuery(sql.raw('new.facility_id'))}) as limited
      )
      begin
        select raise(abort, 'the facility is full at that time');
      end`.execute(db)
  }
}

/**
 * The function locks the row of the facility, so that of two concurrent writers the second sees the appointments of the first. Under
 * repeatable read it updates the row instead, which fails with 40001 for the second writer. A refusal has the SQLSTATE of an
 * exclusion constraint, so that it is handled in the same way.
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
      if not (${takesPlace('new')}) then return null; end if;
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
 * The capacity of a facility, and the number of doors that it ever had. If the capacity is not less than that, nothing needs to be
 * counted, because a door has one appointment at a time.
 */
function capacityQuery(facilityId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select coalesce(facility.capacity, sum(door.active)) as places, count(*) as doors
    from facility inner join door on door.facility_id = facility.id
    where facility.id = ${facilityId} group by facility.id, facility.capacity`
}

/**
 * The maximum number of other appointments at any moment of the new time, outside of the time that the appointment already had. They
 * are counted at each moment at which one begins or ends, after all changes at that moment.
 */
function maxConcurrentQuery(held: { from: RawBuilder<unknown>; to: RawBuilder<unknown> }, longestMs: number) {
  const others = sql`
    from appointment as other
    where other.facility_id = new.facility_id
      and other.id <> new.id
      and ${takesPlace('other')}
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
