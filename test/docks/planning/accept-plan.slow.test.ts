import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { acceptPlan } from '../../../src/docks/planning/operations/accept-plan'
import { execute } from '../../../src/kernel'
import { type Database, openDatabase } from '../../../src/storage'
import { migrations } from '../../../src/studio'
import { describeWithPostgres } from '../../storage/postgres/server'
import { load, openDockOffice } from '../dock-fixtures'
import { acceptRandomPlan, doAfterRead, planning } from './accept-random-plan'
import { expectSoundAcceptance, takeSnapshot } from './plan-oracle'
import { createRandomSite } from './random-site'

it('breaks no rule at many random facilities, and changes exactly what it says', async () => {
  let moved = 0
  for (let seed = 30; seed < 50; seed++) moved += await acceptRandomPlan(await openDockOffice(), { seed })
  for (let seed = 60; seed < 63; seed++)
    moved += await acceptRandomPlan(await openDockOffice(), { seed, timeLimitMs: 2_000 })
  expect(moved).toBeGreaterThan(60)
})

describe('plans in a file', () => {
  it('are accepted once by two processes, beside bookings of the same places', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'studio-plans-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    for (const seed of [3, 21]) await raceForPlan(() => openDatabase(join(folder, `${seed}.db`), migrations), seed)
  })
})

describeWithPostgres('plans on PostgreSQL', (server) => {
  it('break no rule at random facilities, and change exactly what they say', async () => {
    for (const seed of [3, 11, 23]) {
      const db = await openDatabase(await server().createDatabase(), migrations)
      onTestFinished(() => db.close())
      await acceptRandomPlan(await openDockOffice(db), { seed })
    }
  })

  it('are accepted once by two processes, beside bookings of the same places', async () => {
    for (const seed of [3, 21]) {
      const address = await server().createDatabase()
      await raceForPlan(() => openDatabase(address, migrations), seed)
    }
  })
})

/**
 * Two processes make the same plan. Both accept it while others book some of its places, if they are not too late. The two answers together say
 * what happened.
 */
async function raceForPlan(open: () => Promise<Database>, seed: number): Promise<void> {
  const [db, other] = [await open(), await open()]
  onTestFinished(async () => {
    await Promise.all([db.close(), other.close()])
  })
  const office = await openDockOffice(db)
  const { date } = await createRandomSite(office, { seed })
  const request = { id: 'DC1', date }
  const { results } = await office.run(acceptPlan, { ...request, dryRun: true }, planning(office))
  expect(results.length).toBeGreaterThan(2)
  let planned = 0
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const meanwhile = async () => {
    if (++planned === 2) begin()
    await begun
  }
  const before = await takeSnapshot(office)
  const ids = { ...office.ctx.ids, uuid: () => randomUUID() }
  const accept = (own: Database) =>
    execute(acceptPlan, request, { ...planning(office), db: doAfterRead(own, meanwhile), ids })
  const book = async ({ newStartTime, newDoorName, type }: (typeof results)[number], own: Database) => {
    await begun
    const place = { startTime: newStartTime, doorId: newDoorName, durationMinutes: 15, targetDate: undefined }
    return execute(bookAppointment, load({ ...place, type, carrierName: 'Red Line' }), { ...office.ctx, db: own, ids })
  }
  const bookings = Promise.allSettled(results.slice(0, 4).map((move, index) => book(move, index % 2 ? db : other)))
  const reports = await Promise.all([accept(db), accept(other)])
  const booked = (await bookings).flatMap((one) => (one.status === 'fulfilled' ? [(one.value.data as any).id] : []))
  const after = await takeSnapshot(office)
  const won = new Map(
    reports
      .flatMap((report) => report.results.filter(({ outcome }) => outcome === 'moved'))
      .map((move) => [move.id, move]),
  )
  expect(reports.reduce((sum, { moved }) => sum + moved, 0)).toBe(won.size)
  for (const { results, refused } of reports) {
    expect(results.filter(({ message }) => message !== null)).toHaveLength(refused)
    for (const { id, outcome, message } of results)
      if (outcome === 'refused' && won.has(id)) expect(message).toMatch(/has changed since the plan was made/)
  }
  // As if there had been one call, after the bookings.
  const [first] = reports
  const all = {
    ...first!,
    ...{ results: [...won.values()], moved: won.size, refused: 0 },
    delayMinutes: reports.reduce((sum, { delayMinutes }) => sum + delayMinutes, 0),
  }
  const known = new Set<string>(booked)
  const withBooked = {
    ...before,
    appointments: new Map([...before.appointments, ...[...after.appointments].filter(([id]) => known.has(id))]),
    history: new Map([...before.history, ...booked.map((id) => [id, ['booked']] as [string, string[]])]),
  }
  await expectSoundAcceptance(office, { before: withBooked, after, report: all, date, others: booked })
}
