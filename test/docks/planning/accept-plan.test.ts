import { expect, it } from 'vitest'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { listAppointments } from '../../../src/docks/booking/operations/list-appointments'
import { updateAppointment } from '../../../src/docks/booking/operations/update-appointment'
import { blockTime } from '../../../src/docks/facilities/operations/block-time'
import { updateFacility } from '../../../src/docks/facilities/operations/update-facility'
import { acceptPlan } from '../../../src/docks/planning/operations/accept-plan'
import { costPlan, type DayProblem } from '../../../src/docks/planning/rules/day-problem'
import { docksTables } from '../../../src/docks/queries/docks-tables'
import { type DockOffice, load, officeWith } from '../dock-fixtures'
import { doAfterRead, planning } from './accept-random-plan'

const DATE = '2026-11-17'
const PLAN = { id: 'DC1', date: DATE }

/** Appointments of an hour at a door that is blocked afterwards. */
async function officeWithBlockedDoor(starts: Record<string, string>, facility = {}): Promise<DockOffice> {
  const office = await officeWith(facility)
  for (const [referenceNumber, start] of Object.entries(starts))
    await office.run(
      bookAppointment,
      load({ referenceNumber, targetDate: undefined, startTime: `${DATE}T${start}`, doorId: 'Door 1' }),
    )
  office.at('2026-11-17T11:30:00Z')
  await office.run(blockTime, { id: 'DC1', from: `${DATE}T07:00`, to: `${DATE}T17:00`, doors: ['Door 1'] })
  return office
}

const bookedOf = async (office: DockOffice) =>
  (await office.run(listAppointments, { facilityCode: 'DC1' })).map((one) => ({
    ...{ id: one.id, reference: one.referenceNumber },
    place: `${one.startTime.slice(11, 16)} ${one.doorName}`,
  }))

const idOf = async (office: DockOffice, reference: string) =>
  (await bookedOf(office)).find((one) => one.reference === reference)!.id

const announce = (office: DockOffice, id: string) =>
  office.db.write((tx) =>
    docksTables(tx).updateTable('appointment').set({ door_announced_at: 1 }).where('id', '=', id).execute(),
  )

it('does all that a preview has shown, or nothing, whatever happens between the plan and the moves', async () => {
  const office = await officeWithBlockedDoor({ A: '08:00', B: '10:00' })
  const { planId } = (await office.run(acceptPlan, { ...PLAN, dryRun: true })) as { planId?: string }
  const before = await bookedOf(office)
  const id = await idOf(office, 'B')
  const meanwhile = () => office.run(updateAppointment, { id, carrierName: 'Red Line' })
  const refusal = await office.refusal(acceptPlan, { ...PLAN, planId }, planning(office, { meanwhile }))
  expect(refusal).toMatchObject({ code: 'plan_changed', details: [{ plan: { results: [{}, {}] } }] })
  expect(await bookedOf(office)).toEqual(before)
})

it('accepts the plan that was shown, also where the time ended before it was certain', async () => {
  const office = await officeWithBlockedDoor({ A: '08:00', B: '11:00' })
  let planned = 0
  const run = (_: string, [problem]: readonly unknown[]) => {
    planned++
    const { tasks } = problem as DayProblem
    const plan = tasks.map((task) => ({ start: task.places.at(-planned)!.start, door: 1 }))
    return Promise.resolve({ plan, cost: costPlan(problem as DayProblem, plan), least: null })
  }
  const ctx = { ...office.ctx, background: { run } }
  const part = { ...PLAN, only: ['A'] }
  const { planId } = (await office.run(acceptPlan, { ...part, dryRun: true }, ctx)) as { planId?: string }
  expect((await office.run(acceptPlan, { ...part, planId }, ctx)).moved).toBe(1)
})

it('does the part that a preview has shown, and nothing if its day has changed since', async () => {
  const office = await officeWithBlockedDoor({ A: '08:00', B: '10:00' })
  const part = { ...PLAN, only: ['A'] }
  const { planId } = (await office.run(acceptPlan, { ...part, dryRun: true })) as { planId?: string }
  const taken = load({ referenceNumber: 'X', targetDate: undefined, startTime: `${DATE}T08:00`, doorId: 'Door 2' })
  await office.run(bookAppointment, taken)
  expect(await office.refusal(acceptPlan, { ...part, planId })).toMatchObject({ code: 'plan_changed' })
  const { results } = await office.run(acceptPlan, part)
  expect(results).toMatchObject([{ referenceNumber: 'A', outcome: 'moved', delayMinutes: 60 }])
})

it('refuses to move one whose contacts get to know its door, and one that may not move any more', async () => {
  const office = await officeWithBlockedDoor({ A: '08:00', B: '10:00' }, { moveAnnounced: true })
  await announce(office, await idOf(office, 'A'))
  const forbid = () => office.run(updateFacility, { id: 'DC1', moveAnnounced: false })
  const report = await office.run(acceptPlan, PLAN, planning(office, { meanwhile: forbid }))
  const outcomes = report.results.map(({ referenceNumber, outcome, message }) => [referenceNumber, outcome, message])
  expect(outcomes).toEqual([
    ['A', 'refused', 'A must stay at its door.'],
    ['B', 'moved', null],
  ])
})

it('says the delay of the moves that it made, not of those that it refused', async () => {
  // There is one free hour for each at the other door, and a door for one of them at its own time.
  const office = await officeWithBlockedDoor({ A: '08:00', B: '10:00' })
  for (const start of ['08:00', '10:00'])
    await office.run(
      bookAppointment,
      load({ targetDate: undefined, startTime: `${DATE}T${start}`, doorId: 'Door 2', durationMinutes: 60 }),
    )
  const whole = await office.run(acceptPlan, { ...PLAN, dryRun: true })
  expect(whole).toMatchObject({ delayMinutes: 120, results: [{}, {}] })
  const id = await idOf(office, 'A')
  const meanwhile = () => office.run(updateAppointment, { id, carrierName: 'Red Line' })
  const report = await office.run(acceptPlan, PLAN, planning(office, { meanwhile }))
  expect(report).toMatchObject({ moved: 1, refused: 1, delayMinutes: 60, least: null })
  expect(report.message).toContain('1 move on')
})

it('makes a move that only another one had no room for, if that is refused too', async () => {
  const doors = ['Door 1', 'Door 2', 'Door 3'].map((name) => ({ name }))
  const office = await officeWithBlockedDoor({ A: '08:00', B: '10:00' }, { capacity: 2, doors })
  const places = [1, 2].map((door) => ({ start: Date.parse(`${DATE}T19:00:00Z`), door }))
  const run = (_: string, [problem]: readonly unknown[]) =>
    Promise.resolve({ plan: places, cost: costPlan(problem as DayProblem, places), least: null })
  // With both at 13:00 there would be three.
  const other = load({ referenceNumber: 'X', targetDate: undefined, startTime: `${DATE}T13:00`, doorId: 'Door 3' })
  const db = doAfterRead(office.db, () => office.run(bookAppointment, other))
  const report = await office.run(acceptPlan, PLAN, { ...office.ctx, background: { run }, db })
  expect(report.results.map(({ referenceNumber, outcome }) => [referenceNumber, outcome])).toEqual([
    ['A', 'moved'],
    ['B', 'refused'],
  ])
})

it('takes moves again until none of the others is possible', async () => {
  const doors = ['Door 1', 'Door 2', 'Door 3'].map((name) => ({ name }))
  const starts = { A: '08:00', B: '09:00', C: '10:00', D: '11:00' }
  const office = await officeWithBlockedDoor(starts, { capacity: 2, doors })
  const at = (hour: number, door: number) => ({
    start: Date.parse(`${DATE}T${String(hour).padStart(2, '0')}:00:00-06:00`),
    door,
  })
  const places = [at(9, 1), at(15, 1), at(9, 2), at(15, 2)]
  const run = (_: string, [problem]: readonly unknown[]) =>
    Promise.resolve({ plan: places, cost: costPlan(problem as DayProblem, places), least: null })
  const book = (referenceNumber: string, hour: string) =>
    office.run(
      bookAppointment,
      load({ referenceNumber, targetDate: undefined, startTime: `${DATE}T${hour}:00`, doorId: 'Door 3' }),
    )
  // A and B have no room beside C and D, whose doors are taken. A needs the room that B gives up.
  const db = doAfterRead(office.db, async () => {
    await book('X', '09')
    await book('Y', '15')
  })
  const report = await office.run(acceptPlan, PLAN, { ...office.ctx, background: { run }, db })
  expect(report.results.map(({ referenceNumber, outcome }) => [referenceNumber, outcome])).toEqual([
    ['A', 'moved'],
    ['C', 'refused'],
    ['B', 'moved'],
    ['D', 'refused'],
  ])
})
