import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { importAppointments } from '../../../../src/docks/booking/operations/import-appointments'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { listNumbers } from '../../../../src/docks/booking/rules/references'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import type { AppointmentStatus } from '../../../../src/docks/facilities/rules/facility'
import { docksTables } from '../../../../src/docks/queries/docks-tables'
import { completeAppointment } from '../../../../src/docks/visits/operations/complete-appointment'
import { reopenAppointment } from '../../../../src/docks/visits/operations/reopen-appointment'
import type { AnyOperation, StudioError } from '../../../../src/kernel'
import type { Database } from '../../../../src/storage'
import { runOn } from '../../../storage/run-on-database'
import { DC1, load } from '../../dock-fixtures'

interface Known {
  id: string
  status: AppointmentStatus
  numbers: readonly string[]
}

const NUMBERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
const number = fc.constantFrom(...NUMBERS)
const numbers = fc.uniqueArray(number, { minLength: 1, maxLength: 4 })
const which = fc.nat(99)
type NewLoad = { kind: 'book' | 'import'; numbers: string[] }
type Step =
  | NewLoad
  | { kind: 'change'; which: number; numbers: string[] }
  | { kind: 'rename'; which: number; number: string }
  | { kind: 'shorten' | 'cancel' | 'complete' | 'reopen'; which: number }
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constantFrom('book', 'import'), numbers }), weight: 3 },
  fc.record({ kind: fc.constant('change'), which, numbers }),
  fc.record({ kind: fc.constant('rename'), which, number }),
  {
    arbitrary: fc.record({ kind: fc.constantFrom('shorten', 'cancel', 'complete', 'reopen', 'reopen'), which }),
    weight: 2,
  },
)

const toRequest = ([referenceNumber, ...references]: readonly string[]) => ({ referenceNumber, references })
const DOORS = Array.from({ length: 12 }, (_, n) => ({ name: `Door ${n}` }))

/** A facility whose appointments share a few references. */
class Site {
  readonly code = `S-${randomUUID()}`
  readonly #databases: readonly Database[]
  #calls = 0
  constructor(databases: readonly Database[]) {
    this.#databases = databases
  }
  async open(): Promise<this> {
    await this.run(createFacility, { ...DC1, code: this.code, doors: DOORS })
    return this
  }
  run(op: AnyOperation, input: unknown): Promise<any> {
    return runOn(this.#databases[this.#calls++ % this.#databases.length]!, op, input)
  }
  async book(given: readonly string[], isImported = false): Promise<string> {
    const request = load({ facilityCode: this.code, durationMinutes: 30, ...toRequest(given) })
    if (!isImported) return (await this.run(bookAppointment, request)).data.id
    // An import knows its rows again, so each row has a weight of its own.
    const row = { ...request, weight: ++this.#calls }
    const { rows } = await this.run(importAppointments, { text: JSON.stringify([row]) })
    if (rows[0].outcome === 'refused') throw Object.assign(new Error(rows[0].message), { code: rows[0].code })
    return rows[0].id
  }
  change(id: string, given: readonly string[]): Promise<unknown> {
    return this.run(updateAppointment, { id, ...toRequest(given) })
  }
  /** All its appointments, after a check of what finds them. */
  check(): Promise<Known[]> {
    return checkReferences(this.#databases[0]!, this.code)
  }
}

/**
 * The appointments of a facility, after a check that each reference is on one scheduled appointment, and that it finds all appointments that
 * have it and no other.
 */
export async function checkReferences(db: Database, code: string): Promise<Known[]> {
  const { rows, others } = await db.read(async (tx) => ({
    rows: await docksTables(tx)
      .selectFrom('appointment')
      .innerJoin('facility', 'facility.id', 'appointment.facility_id')
      .select(['appointment.id', 'status', 'reference_number', 'reference_list'])
      .where('facility.code', '=', code)
      .execute(),
    others: await docksTables(tx)
      .selectFrom('appointment_reference')
      .innerJoin('facility', 'facility.id', 'appointment_reference.facility_id')
      .select(['appointment_id as id', 'reference_number as number'])
      .where('facility.code', '=', code)
      .execute(),
  }))
  const appointments = rows.map(({ id, status, reference_number, reference_list }) => ({
    id,
    status,
    numbers: listNumbers({ referenceNumber: reference_number, references: reference_list }),
  }))
  const secondary = appointments.flatMap(({ id, numbers: [, ...rest] }) => rest.map((one) => `${id} ${one}`))
  expect(others.map(({ id, number }) => `${id} ${number}`).sort()).toEqual(secondary.sort())
  const scheduled = appointments.filter(({ status }) => status === 'scheduled').flatMap((each) => each.numbers)
  expect(scheduled.sort()).toEqual([...new Set(scheduled)])
  for (const number of new Set(appointments.flatMap((each) => each.numbers))) {
    const listed: Known[] = await runOn(db, listAppointments, { facilityCode: code, referenceNumber: number })
    const having = appointments.filter((each) => each.numbers.includes(number))
    expect(listed.map(({ id }) => id).sort()).toEqual(having.map(({ id }) => id).sort())
  }
  return appointments
}

/** Does the step as far as the state of what it chooses allows it. Returns what changed, or null. */
async function follow(site: Site, known: readonly Known[], step: Step): Promise<Known | null> {
  if (isNew(step)) {
    const id = await site.book(step.numbers, step.kind === 'import')
    return { id, status: 'scheduled', numbers: step.numbers }
  }
  const chosen = choose(known, step)
  if (!chosen) return null
  const { id } = chosen
  if (step.kind === 'change') await site.change(id, step.numbers)
  else if (step.kind === 'rename') await site.run(updateAppointment, { id, referenceNumber: step.number })
  else if (step.kind === 'shorten') await site.run(updateAppointment, { id, references: null })
  else if (step.kind === 'cancel') await site.run(cancelAppointment, { id })
  else if (step.kind === 'complete') await site.run(completeAppointment, { id })
  else await site.run(reopenAppointment, { id })
  return { ...chosen, ...expectedChange(chosen, step) }
}

const isNew = (step: Step): step is NewLoad => step.kind === 'book' || step.kind === 'import'

function choose(known: readonly Known[], step: Exclude<Step, NewLoad>): Known | undefined {
  const possible = known.filter(({ status }) => status === (step.kind === 'reopen' ? 'completed' : 'scheduled'))
  return possible[step.which % (possible.length || 1)]
}

function expectedChange({ numbers: own }: Known, step: Step): Partial<Known> {
  if (step.kind === 'change') return { numbers: step.numbers }
  if (step.kind === 'rename') return { numbers: renameFirst(own, step.number) }
  if (step.kind === 'shorten') return { numbers: own.slice(0, 1) }
  if (step.kind === 'reopen') return { status: 'scheduled' }
  return { status: step.kind === 'cancel' ? 'cancelled' : 'completed' }
}

/** Without a list, a request gives the first reference another number. */
const renameFirst = (own: readonly string[], first: string) => [first, ...own.slice(1)]

/** The code of the refusal that the step must have; null for none. */
function expectRefusal(known: readonly Known[], step: Step): string | null {
  const chosen = isNew(step) ? undefined : choose(known, step)
  if (!isNew(step) && !chosen) return null
  const after = isNew(step) ? step.numbers : (expectedChange(chosen!, step).numbers ?? chosen!.numbers)
  if (new Set(after).size < after.length) return 'invalid'
  if (step.kind === 'cancel' || step.kind === 'complete') return null
  const taken = known.filter((each) => each !== chosen && each.status === 'scheduled').flatMap((each) => each.numbers)
  return after.some((one) => taken.includes(one)) ? 'duplicate_reference' : null
}

export function promisesOfReferences(open: () => Promise<Database>, { runs }: { runs: number }): void {
  it('are each on one scheduled appointment of a facility, as a list of all of them says', async () => {
    const db = await open()
    try {
      const seen = new Set<string>()
      const book: Step = { kind: 'book', numbers: ['A', 'B'] }
      const run = async (steps: readonly Step[]) => {
        const site = await new Site([db]).open()
        let known: Known[] = []
        for (const step of steps) {
          const expected = expectRefusal(known, step)
          const made = await follow(site, known, step).then(
            (after) => ({ after, code: null }),
            ({ code }: StudioError) => ({ after: null, code }),
          )
          expect([step.kind, made.code]).toEqual([step.kind, expected])
          seen.add(`${step.kind} ${expected}`)
          const { after } = made
          if (after) known = [...known.filter(({ id }) => id !== after.id), after]
        }
        const byId = (a: Known, b: Known) => (a.id < b.id ? -1 : 1)
        expect((await site.check()).sort(byId)).toEqual(known.sort(byId))
      }
      await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 18 }), run), {
        numRuns: runs,
        examples: [[[book, { kind: 'complete', which: 0 }, book, { kind: 'reopen', which: 0 }]]],
      })
      const refused = ['book', 'import', 'change', 'rename', 'reopen'].map((kind) => `${kind} duplicate_reference`)
      expect([...seen]).toEqual(expect.arrayContaining(refused))
    } finally {
      await db.close()
    }
  })
}

const EXPECTED = [
  'duplicate_reference',
  'invalid_state',
  'invalid',
  'conflict',
  'database_busy',
  'not_found',
  'slot_unavailable',
]

/** Clients that book and change loads with a few shared references at the same time. Returns how many calls succeeded. */
export async function raceForReferences(
  databases: readonly Database[],
  { clients, seed }: { clients: number; seed: number },
): Promise<number> {
  const site = await new Site(databases).open()
  const scripts = fc.sample(fc.array(step, { minLength: 8, maxLength: 8 }), { numRuns: clients, seed })
  const known = new Map<string, Known>()
  let succeeded = 0
  const play = async (steps: readonly Step[]) => {
    for (const step of steps)
      await follow(site, [...known.values()], step).then(
        (after) => {
          if (after === null) return
          known.set(after.id, after)
          succeeded += 1
        },
        ({ code, message }: StudioError) => expect(EXPECTED, message).toContain(code),
      )
  }
  await Promise.all(scripts.map(play))
  await site.check()
  return succeeded
}
