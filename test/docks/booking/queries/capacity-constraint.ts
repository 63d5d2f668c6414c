import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AppointmentTable } from '../../../../src/docks/booking/migrations'
import { toColumns } from '../../../../src/docks/booking/queries/load-columns'
import { toStoredLoad } from '../../../../src/docks/booking/rules/load'
import { loadKeys } from '../../../../src/docks/booking/rules/load-fields'
import type { DoorTable, FacilityTable } from '../../../../src/docks/facilities/migrations'
import type { DocksTables } from '../../../../src/docks/migrations'
import { type Database, tables } from '../../../../src/storage'

/** An appointment in the terms of a test: hours from noon of a day, and the number of a door. */
interface Stay {
  id: string
  door: number
  from: number
  to: number
  status: AppointmentTable['status']
}

const HOUR = 3_600_000
const NOON = Date.parse('2027-03-01T12:00:00Z')
const FULL = /the facility is full at that time/
const DOORS = 5
/** Of a row that is given another place by several statements. */
const MOVING = 'moving' as AppointmentTable['status']

/** The facility of one test. Writes to its tables directly, without the rules of the operations. */
class Yard {
  static #count = 0

  constructor(
    private readonly db: Database,
    private readonly options: { capacity: number | null },
    private readonly name = `yard-${++Yard.#count}`,
  ) {}

  /** The same facility in another process. */
  from(db: Database): Yard {
    return new Yard(db, this.options, this.name)
  }

  async open(): Promise<this> {
    await this.#write(async (docks) => {
      await docks.insertInto('facility').values(facility(this.name, this.options.capacity)).execute()
      for (let door = 0; door < DOORS; door++) await docks.insertInto('door').values(this.#door(door)).execute()
    })
    return this
  }

  put(stay: Partial<Stay> & Pick<Stay, 'id' | 'door'>): Promise<unknown> {
    return this.#write((docks) =>
      docks
        .insertInto('appointment')
        .values(this.#row({ ...SOME, ...stay }))
        .execute(),
    )
  }

  change(id: string, to: Partial<Stay>): Promise<unknown> {
    const changes = {
      ...(to.door === undefined ? {} : { door_id: this.#doorId(to.door) }),
      ...(to.from === undefined ? {} : { start_at: NOON + to.from * HOUR }),
      ...(to.to === undefined ? {} : { end_at: NOON + to.to * HOUR }),
      ...(to.status === undefined ? {} : { status: to.status }),
    }
    return this.#write((docks) =>
      docks.updateTable('appointment').set(changes).where('id', '=', this.#id(id)).execute(),
    )
  }

  async limit(capacity: number | null): Promise<void> {
    await this.#write((docks) => docks.updateTable('facility').set({ capacity }).where('id', '=', this.name).execute())
  }

  async closeDoor(door: number): Promise<void> {
    await this.#write((docks) =>
      docks.updateTable('door').set({ active: 0, removed_at: 0 }).where('id', '=', this.#doorId(door)).execute(),
    )
  }

  async count(): Promise<number> {
    const rows = await this.db.read((tx) =>
      tables<DocksTables>(tx).selectFrom('appointment').select('id').where('facility_id', '=', this.name).execute(),
    )
    return rows.length
  }

  #write(work: (docks: ReturnType<typeof tables<DocksTables>>) => Promise<unknown>): Promise<unknown> {
    return this.db.write((tx) => work(tables<DocksTables>(tx)), { locksRows: true })
  }

  #id = (id: string) => `${this.name}-${id}`
  #doorId = (door: number) => `${this.name}-door-${door}`

  #door(door: number): DoorTable {
    const id = this.#doorId(door)
    const takes = { types: '["pickup"]', features: '[]', max_height: null }
    return { id, facility_id: this.name, name: id, position: door, ...takes, active: 1, removed_at: null }
  }

  #row({ id, door, from, to, status }: Stay): AppointmentTable {
    return {
      id: this.#id(id),
      tenant_id: 'tenant',
      facility_id: this.name,
      door_id: this.#doorId(door),
      type: 'pickup',
      status,
      start_at: NOON + from * HOUR,
      end_at: NOON + to * HOUR,
      carrier_name: 'Acme',
      reference_number: id,
      reference_list: null,
      ...toColumns(toStoredLoad({}), loadKeys),
      created_at: 0,
      updated_at: 0,
      sequence: 0,
      step: null,
      pinned: 0,
      door_announced_at: null,
    }
  }
}

const SOME = { from: 0, to: 1, status: 'scheduled' } as const

const facility = (id: string, capacity: number | null): FacilityTable => ({
  id,
  tenant_id: 'tenant',
  code: id,
  name: id,
  time_zone: 'Etc/UTC',
  queues: '[]',
  breaks: '[]',
  closures: '[]',
  blocked_times: '[]',
  buffer_minutes: 0,
  limits: '[]',
  lengths: '[]',
  custom_fields: '[]',
  reasons: '[]',
  check_url: null,
  check_secret: null,
  check_timeout_ms: null,
  check_if_away: null,
  carriers: '[]',
  min_minutes: 15,
  max_minutes: 240,
  default_minutes: 60,
  slot_minutes: 15,
  lead_minutes: 0,
  capacity,
  advance_to_next_open_day: 1,
  grace_minutes: 30,
  reminder_hours: null,
  truck_free_minutes: 120,
  trailer_free_hours: 48,
  make_room: 'never',
  move_announced: 0,
  created_at: 0,
  archived_at: null,
})

/** Tests the capacity constraint on any engine. `dropGuard` removes the constraint, to show that the tests depend on it. */
export function promisesOfTheCapacityGuard(
  open: () => Promise<Database>,
  { dropGuard, runs }: { dropGuard: readonly string[]; runs: number },
): void {
  let db: Database
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  const yardOf = (capacity: number | null) => new Yard(db, { capacity }).open()

  describe('with two at one time', () => {
    let yard: Yard
    beforeEach(async () => {
      yard = await yardOf(2)
      await yard.put({ id: 'first', door: 0, from: 0, to: 2 })
      await yard.put({ id: 'second', door: 1, from: 1, to: 3 })
    })

    it.each([
      ['at the same time', 1, 2],
      ['into it', 0, 1.25],
      ['out of it', 1.75, 4],
      ['around it', -1, 5],
      ['inside it', 1.25, 1.5],
      ['for nearly a day up to it', -22.75, 1.25],
    ])('refuse a third %s, at whichever door', async (_, from, to) => {
      for (const door of [2, 3, 4]) await expect(yard.put({ id: 'third', door, from, to })).rejects.toThrow(FULL)
      await expect(yard.put({ id: 'third', door: 2, from, to, status: 'completed' })).rejects.toThrow(FULL)
      await yard.put({ id: 'third', door: 2, from, to, status: 'cancelled' })
    })

    it.each([
      ['up to it', 0, 1],
      ['from its end', 2, 3],
      ['elsewhere', 10, 11],
    ])('take a third %s', async (_, from, to) => {
      await yard.put({ id: 'third', door: 2, from, to })
    })

    it('count those that are under way at one moment, not all that it meets', async () => {
      await yard.put({ id: 'early', door: 2, from: 10, to: 11 })
      await yard.put({ id: 'late', door: 2, from: 11, to: 12 })
      await yard.put({ id: 'long', door: 3, from: 9, to: 13 })
    })

    it('refuse to move, lengthen or bring back one into it', async () => {
      await yard.put({ id: 'third', door: 2, from: 3, to: 4 })
      await expect(yard.change('third', { from: 1, to: 2 })).rejects.toThrow(FULL)
      await expect(yard.change('third', { from: 1.5 })).rejects.toThrow(FULL)
      await yard.put({ id: 'cancelled', door: 3, from: 1, to: 2, status: 'cancelled' })
      await expect(yard.change('cancelled', { status: 'scheduled' })).rejects.toThrow(FULL)
      await yard.change('first', { status: 'cancelled' })
      await yard.change('cancelled', { status: 'scheduled' })
    })

    it('accept existing appointments beyond a reduced capacity, and let them be changed', async () => {
      await yard.limit(1)
      await expect(yard.put({ id: 'third', door: 2, from: 1, to: 2 })).rejects.toThrow(FULL)
      await yard.change('first', { door: 4 })
      await yard.change('first', { from: 0.5 })
      await yard.change('second', { status: 'completed' })
      await yard.change('second', { to: 3.5 }) // into time that no other appointment has
      await expect(yard.change('first', { to: 2.5 })).rejects.toThrow(FULL)
      await yard.change('first', { from: 4, to: 5 })
      await expect(yard.change('first', { from: 3, to: 4 })).rejects.toThrow(FULL)
      await yard.change('first', { status: 'cancelled' })
    })

    it('let two exchange their doors beyond a reduced capacity, of which one has no place meanwhile', async () => {
      await yard.limit(1)
      await yard.change('first', { status: MOVING })
      await yard.change('second', { door: 0 })
      await expect(yard.change('first', { status: 'scheduled' })).rejects.toThrow(/taken|appointment_door_free/)
      await expect(yard.change('first', { status: 'scheduled', door: 1, to: 0.5 })).resolves.toBeDefined()
      await yard.change('first', { status: MOVING })
      await yard.change('second', { status: MOVING })
      await yard.put({ id: 'third', door: 2, from: 0.5, to: 1 })
      await expect(yard.change('second', { status: 'scheduled', from: 0.5 })).rejects.toThrow(FULL)
      await yard.change('second', { status: 'scheduled' })
    })
  })

  it('take one into the moment at which several others end', async () => {
    const yard = await yardOf(3)
    for (const [door, id] of ['first', 'second', 'third'].entries()) await yard.put({ id, door, from: 0, to: 2 })
    await yard.limit(1)
    await yard.change('first', { from: 1, to: 3 })
    await yard.put({ id: 'next', door: 1, from: 3, to: 4 })
  })

  it('accept as many appointments as active doors by default', async () => {
    const yard = await yardOf(null)
    for (let door = 0; door < DOORS; door++) await yard.put({ id: `at ${door}`, door })
    const other = await yardOf(null)
    await other.put({ id: 'left', door: 0 })
    await other.closeDoor(0)
    for (let door = 1; door < DOORS - 1; door++) await other.put({ id: `at ${door}`, door })
    await expect(other.put({ id: 'last', door: DOORS - 1 })).rejects.toThrow(FULL)
    await other.put({ id: 'last', door: DOORS - 1, from: 1, to: 2 })
  })

  const moment = fc.integer({ min: 0, max: 8 })
  const stay = fc
    .record({
      door: fc.nat(DOORS - 1),
      from: moment,
      length: fc.integer({ min: 1, max: 4 }),
      isCancelled: fc.boolean(),
    })
    .map(({ door, from, length, isCancelled }): Omit<Stay, 'id'> => {
      return { door, from, to: from + length, status: isCancelled ? 'cancelled' : 'scheduled' }
    })
  const step = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), stay }),
    fc.record({ kind: fc.constant('change' as const), stay, which: fc.nat() }),
    fc.record({ kind: fc.constant('limit' as const), capacity: fc.integer({ min: 1, max: 3 }) }),
  )

  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
  const put = (door: number): Step => ({ kind: 'put', stay: { door, from: 0, to: 2, status: 'scheduled' } })
  /** Few random steps need not come to every answer; these do. */
  const examples: [number, Step[]][] = [
    [1, [put(0), put(1)]],
    [3, [put(0), put(0)]],
  ]

  it('refuse exactly what a count of every hour refuses', async () => {
    const seen = new Set<string>()
    const follow = async (capacity: number, steps: readonly Step[]) => {
      const yard = await yardOf(capacity)
      const there: Stay[] = []
      let limit = capacity
      for (const [index, one] of steps.entries()) {
        if (one.kind === 'limit') {
          limit = one.capacity
          await yard.limit(limit)
          continue
        }
        const was = one.kind === 'change' ? there[one.which % (there.length || 1)] : undefined
        const next = { id: was?.id ?? String(index), ...one.stay }
        const others = there.filter((other) => other !== was)
        const expected = expectedOf(next, { was, others, limit })
        const done = was ? yard.change(was.id, one.stay) : yard.put(next)
        const found = await done.then(
          () => 'accepted',
          (error: Error) => (FULL.test(error.message) ? 'full' : 'door'),
        )
        // Which of the two constraints fails first depends on the engine.
        expect(expected).toContain(found)
        if (found === 'accepted') there.splice(was ? there.indexOf(was) : there.length, 1, next)
        seen.add(expected.join(' '))
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { minLength: 4, maxLength: 14 }), follow),
      { numRuns: runs, examples },
    )
    expect([...seen]).toEqual(expect.arrayContaining(['door', 'full', 'accepted']))
  })

  it('would not refuse without the guard', async () => {
    const own = await open()
    try {
      const yard = await new Yard(own, { capacity: 1 }).open()
      await yard.put({ id: 'first', door: 0 })
      await expect(yard.put({ id: 'second', door: 1 })).rejects.toThrow(FULL)
      for (const statement of dropGuard) await own.write((tx) => sql.raw(statement).execute(tables<any>(tx)))
      await yard.put({ id: 'second', door: 1 })
    } finally {
      await own.close()
    }
  })
}

/** Inserts appointments at different doors concurrently, and returns how many succeeded. */
export async function raceForPlaces(databases: readonly Database[], capacity: number): Promise<number> {
  const yard = await new Yard(databases[0]!, { capacity }).open()
  const writers = Array.from({ length: DOORS }, (_, door) => yard.from(databases[door % databases.length]!))
  const outcomes = await Promise.allSettled(writers.map((writer, door) => writer.put({ id: `at ${door}`, door })))
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(String(outcome.reason)).toMatch(FULL)
  return yard.count()
}

/** The possible results: `accepted`, or the constraint that fails. */
function expectedOf(
  next: Stay,
  { was, others, limit }: { was: Stay | undefined; others: readonly Stay[]; limit: number },
): string[] {
  if (next.status === 'cancelled') return ['accepted']
  const holds = (stay: Stay, hour: number) => stay.status !== 'cancelled' && stay.from <= hour && hour < stay.to
  const hours = Array.from({ length: next.to - next.from }, (_, i) => next.from + i)
  const isTaken = others.some((other) => other.door === next.door && hours.some((hour) => holds(other, hour)))
  const isFull = hours.some((hour) => {
    return !(was && holds(was, hour)) && others.filter((other) => holds(other, hour)).length >= limit
  })
  const refusals = [...(isTaken ? ['door'] : []), ...(isFull ? ['full'] : [])]
  return refusals.length > 0 ? refusals : ['accepted']
}
