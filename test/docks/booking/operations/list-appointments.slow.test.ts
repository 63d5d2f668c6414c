import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { addDoor } from '../../../../src/docks/facilities/operations/add-door'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { removeDoor } from '../../../../src/docks/facilities/operations/remove-door'
import { updateDoor } from '../../../../src/docks/facilities/operations/update-door'
import { completeAppointment } from '../../../../src/docks/visits/operations/complete-appointment'
import { type AnyOperation, pageOf } from '../../../../src/kernel'
import { type Database, openMemoryDatabase } from '../../../../src/storage'
import { migrations } from '../../../../src/studio'
import { describeWithPostgres } from '../../../storage/postgres/server'
import { runOn } from '../../../storage/run-on-database'
import { DC1, load } from '../../dock-fixtures'

const DATE = '2026-11-17'
const DOORS = ['Door 1', 'Door 2', 'Door 3', 'Door 4']

/** Changes by other callers between two pages. A number selects one of the existing appointments or doors. */
const change = fc.oneof(
  fc.record({ kind: fc.constantFrom('book' as const), pick: fc.nat() }),
  fc.record({ kind: fc.constantFrom('cancel' as const, 'complete' as const, 'move' as const), pick: fc.nat() }),
  fc.record({
    kind: fc.constantFrom('place door' as const, 'remove door' as const, 'add door' as const),
    pick: fc.nat(),
  }),
)
type Change = typeof change extends fc.Arbitrary<infer Drawn> ? Drawn : never

interface Facility {
  db: Database
  code: string
}

const refusalsAreFine = (done: Promise<unknown>) => done.catch(() => null)

/** The ID of the appointment whose position changed, if any. */
async function apply({ db, code }: Facility, { kind, pick }: Change): Promise<string | null> {
  const run = (op: AnyOperation, input: unknown) => refusalsAreFine(runOn(db, op, input))
  const door = { facilityCode: code, name: DOORS[pick % DOORS.length] }
  if (kind === 'book') await run(bookAppointment, load({ facilityCode: code }))
  if (kind === 'add door') await run(addDoor, { ...door, position: 1 })
  if (kind === 'remove door') await run(removeDoor, door)
  if (kind === 'place door') await run(updateDoor, { ...door, position: 1 + (pick % 3) })
  if (!['cancel', 'complete', 'move'].includes(kind)) return null
  const all = await runOn(db, listAppointments, { facilityCode: code, startDate: DATE, endDate: DATE })
  if (all.length === 0) return null
  const { id } = all[pick % all.length]
  if (kind === 'cancel') await run(cancelAppointment, { id })
  if (kind === 'complete') await run(completeAppointment, { id })
  if (kind !== 'move') return null
  await run(rescheduleAppointment, { id, targetDate: pick % 2 === 0 ? DATE : '2026-11-18', durationMinutes: 45 })
  return id
}

async function expectNothingSkippedOrRepeated(
  facility: Facility,
  changes: readonly Change[],
  limit: number,
): Promise<void> {
  const input = { facilityCode: facility.code, startDate: DATE, endDate: DATE }
  const list = () => runOn(facility.db, listAppointments, input)
  const source = 'an answer gave'
  const stayed = new Set<string>((await list()).map(({ id }: { id: string }) => id))
  const pending = [...changes]
  const given: string[] = []
  let cursor: string | null = null
  do {
    const page = pageOf({ op: listAppointments, input, source }, await list(), { limit, cursor })
    given.push(...(page.entries as { id: string }[]).map(({ id }) => id))
    cursor = page.nextCursor
    for (const one of pending.splice(0, 2)) {
      const moved = await apply(facility, one)
      if (moved !== null) stayed.delete(moved)
    }
  } while (cursor !== null)
  const returned = given.filter((id) => stayed.has(id))
  expect(new Set(returned).size).toBe(returned.length)
  expect(new Set(returned)).toEqual(stayed)
}

async function openFacility(db: Database, code: string): Promise<Facility> {
  await runOn(db, createFacility, { ...DC1, code, breaks: [], doors: DOORS.map((name) => ({ name })) })
  for (let i = 0; i < 9; i++) await runOn(db, bookAppointment, load({ facilityCode: code }))
  return { db, code }
}

function testsOn(open: () => Promise<Database>, numRuns: number): void {
  it('never skip or repeat an appointment whose start does not change, whatever other callers do between two pages', async () => {
    const db = await open()
    let facilities = 0
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (changes, limit) => {
        await expectNothingSkippedOrRepeated(await openFacility(db, `F${++facilities}`), changes, limit)
      }),
      { numRuns },
    )
  })
}

describe('pages of appointments', () => testsOn(() => openMemoryDatabase(migrations), 40))
describeWithPostgres('pages of appointments on PostgreSQL', (server) =>
  testsOn(() => server().openDatabase(migrations), 10),
)
