import { expect, it } from 'vitest'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../src/docks/booking/operations/cancel-appointment'
import { getAppointment } from '../../../src/docks/booking/operations/get-appointment'
import { listAppointments } from '../../../src/docks/booking/operations/list-appointments'
import { pinAppointment } from '../../../src/docks/booking/operations/pin-appointment'
import { showHistory } from '../../../src/docks/booking/operations/show-history'
import { blockTime } from '../../../src/docks/facilities/operations/block-time'
import { acceptPlan } from '../../../src/docks/planning/operations/accept-plan'
import { planDay } from '../../../src/docks/planning/operations/plan-day'
import { checkInAppointment } from '../../../src/docks/visits/operations/check-in-appointment'
import { recordStep } from '../../../src/docks/visits/operations/record-step'
import { type DockOffice, load, officeWith } from '../dock-fixtures'
import { planning } from './accept-random-plan'

const DATE = '2026-11-17'
const PLAN = { id: 'DC1', date: DATE }

/** Books at a local time; the office is at 05:30 of the date afterwards. */
async function officeOn(slots: Record<string, [time: string, door: string]>, facility = {}): Promise<DockOffice> {
  const office = await officeWith(facility)
  for (const [referenceNumber, [startTime, door]] of Object.entries(slots))
    await office.run(
      bookAppointment,
      load({
        referenceNumber,
        startTime: `${DATE}T${startTime}`,
        targetDate: undefined,
        doorId: await doorOf(office, door),
      }),
    )
  office.at('2026-11-17T11:30:00Z')
  return office
}

async function doorOf(office: DockOffice, name: string): Promise<string> {
  const { getFacility } = await import('../../../src/docks/facilities/operations/get-facility')
  return (await office.run(getFacility, { id: 'DC1' })).doors.find((door) => door.name === name)!.id
}

const idOf = async (office: DockOffice, reference: string) =>
  (await office.run(listAppointments, { facilityCode: 'DC1', referenceNumber: reference })).find(
    (one) => one.referenceNumber === reference,
  )!.id

const placeOf = async (office: DockOffice, reference: string) => {
  const { startTime, doorName } = await office.run(getAppointment, { id: await idOf(office, reference) })
  return `${startTime.slice(11, 16)} ${doorName}`
}

it('changes nothing where nothing is wrong', async () => {
  const office = await officeOn({ A: ['08:00', 'Door 1'], B: ['08:00', 'Door 2'] })
  const plan = await office.run(planDay, PLAN)
  expect(plan).toMatchObject({ appointments: 2, moves: [], unplaced: [], delayMinutes: 0 })
  expect(plan.message).toBe('Nothing needs to change on 2026-11-17 (Tuesday): 2 appointments can stay where they are.')
})

it('moves those of a blocked door to the other door at their own times, and later only where that is taken', async () => {
  const office = await officeOn({ A: ['08:00', 'Door 1'], B: ['09:00', 'Door 1'], C: ['09:00', 'Door 2'] })
  await office.run(blockTime, { id: 'DC1', from: `${DATE}T07:00`, to: `${DATE}T17:00`, doors: ['Door 1'] })
  const plan = await office.run(planDay, PLAN)
  expect(
    plan.moves.map(({ referenceNumber, newStartTime, newDoorName }) => [
      referenceNumber,
      newStartTime.slice(11, 16),
      newDoorName,
    ]),
  ).toEqual([
    ['A', '14:00', 'Door 2'],
    ['B', '16:00', 'Door 2'],
  ])
  expect(plan.moves.map(({ reason }) => reason)).toEqual([
    'Door 1: the time is blocked.',
    'Door 1: the time is blocked.',
  ])
  expect(plan).toMatchObject({ delayMinutes: 60, least: { value: 60, unplaced: 0, percentAbove: 0 } })
  const report = await office.run(acceptPlan, PLAN)
  expect(report).toMatchObject({ moved: 2, refused: 0 })
  expect([await placeOf(office, 'A'), await placeOf(office, 'B'), await placeOf(office, 'C')]).toEqual([
    '14:00 Door 2',
    '16:00 Door 2',
    '15:00 Door 2',
  ])
  const history = await office.run(showHistory, { id: await idOf(office, 'A') })
  expect(history.at(-1)).toMatchObject({ kind: 'rescheduled' })
  expect((await office.run(planDay, PLAN)).moves).toEqual([])
})

it('moves those whose door is taken by a truck that stays too long, and none that is pinned or has begun', async () => {
  const office = await officeOn({ A: ['06:00', 'Door 1'], B: ['07:00', 'Door 1'], C: ['07:00', 'Door 2'] })
  await office.run(recordStep, { id: await idOf(office, 'A'), step: 'at_door' })
  office.at('2026-11-17T13:05:00Z')
  await office.run(checkInAppointment, { id: await idOf(office, 'B') })
  const plan = await office.run(planDay, PLAN)
  expect(plan.moves).toMatchObject([
    { referenceNumber: 'B', newDoorName: 'Door 2', delayMinutes: 15, together: ['C'] },
    { referenceNumber: 'C', newDoorName: 'Door 1', delayMinutes: 30 },
  ])
  // A truck that waits counts twice.
  expect(plan.delayMinutes).toBe(60)
  expect(plan.moves[0]!.reason).toBe('Door 1 is taken until 07:20 by A, which stays longer than booked.')
  await office.run(pinAppointment, { id: await idOf(office, 'B') })
  expect((await office.run(planDay, PLAN)).moves.map(({ referenceNumber }) => referenceNumber)).toEqual(['C'])
})

it('expects a late truck at the next start, and lets another wait for it', async () => {
  const office = await officeOn({
    A: ['06:00', 'Door 1'],
    B: ['07:00', 'Door 1'],
    C: ['06:00', 'Door 2'],
    D: ['07:00', 'Door 2'],
  })
  office.at('2026-11-17T12:40:00Z')
  await office.run(recordStep, { id: await idOf(office, 'C'), step: 'at_door' })
  const plan = await office.run(planDay, PLAN)
  expect(plan.moves[0]).toMatchObject({
    referenceNumber: 'A',
    reason: 'Its truck is late, and is expected at 06:55 at the earliest.',
  })
  expect(plan.delayMinutes).toBe(120)
})

it('accepts a part, with the moves that it needs, and says which reference it does not know', async () => {
  const office = await officeOn({ A: ['08:00', 'Door 1'], B: ['10:00', 'Door 1'] })
  await office.run(blockTime, { id: 'DC1', from: `${DATE}T07:00`, to: `${DATE}T17:00`, doors: ['Door 1'] })
  expect(await office.run(acceptPlan, { ...PLAN, only: ['B'] })).toMatchObject({
    moved: 1,
    results: [{ referenceNumber: 'B' }],
  })
  expect(await placeOf(office, 'A')).toBe('14:00 Door 1')
  const refusal = await office.refusal(acceptPlan, { ...PLAN, only: ['B'] })
  expect(refusal.details).toMatchObject([
    { path: 'only[0]', message: 'B is not moved by the plan: show the plan again' },
  ])
})

it('refuses a move of which the place was booked meanwhile, and makes the others', async () => {
  const office = await officeOn({ A: ['08:00', 'Door 1'], B: ['10:00', 'Door 1'] })
  await office.run(blockTime, { id: 'DC1', from: `${DATE}T07:00`, to: `${DATE}T17:00`, doors: ['Door 1'] })
  const booking = load({ referenceNumber: 'X', startTime: `${DATE}T08:00`, targetDate: undefined })
  const report = await office.run(
    acceptPlan,
    PLAN,
    planning(office, { meanwhile: () => office.run(bookAppointment, booking) }),
  )
  expect(report).toMatchObject({ moved: 1, refused: 1 })
  expect(report.results.map(({ referenceNumber, outcome, message }) => [referenceNumber, outcome, message])).toEqual([
    ['A', 'refused', 'A at Door 2: another appointment is there.'],
    ['B', 'moved', null],
  ])
})

it('refuses a move of an appointment that was cancelled meanwhile', async () => {
  const office = await officeOn({ A: ['08:00', 'Door 1'] })
  await office.run(blockTime, { id: 'DC1', from: `${DATE}T07:00`, to: `${DATE}T17:00`, doors: ['Door 1'] })
  const id = await idOf(office, 'A')
  const report = await office.run(
    acceptPlan,
    PLAN,
    planning(office, { meanwhile: () => office.run(cancelAppointment, { id }) }),
  )
  expect(report.results).toMatchObject([{ outcome: 'refused', message: 'A has changed since the plan was made.' }])
})

it('sends no truck to a door at which a truck is before its time', async () => {
  const office = await officeOn({ A: ['06:00', 'Door 1'], B: ['08:00', 'Door 1'], C: ['06:00', 'Door 2'] })
  office.at('2026-11-17T11:50:00Z')
  await office.run(recordStep, { id: await idOf(office, 'B'), step: 'at_door' })
  const plan = await office.run(planDay, PLAN)
  expect(plan.moves).toMatchObject([{ referenceNumber: 'A', newDoorName: 'Door 2', delayMinutes: 60 }])
  expect(plan.moves[0]!.reason).toBe('Door 1 is taken until 09:00 by B.')
})

it('sends no truck to a slot that one which did not come still has', async () => {
  const office = await officeOn({ A: ['06:00', 'Door 2'], B: ['06:30', 'Door 1'] })
  office.at('2026-11-17T12:31:00Z')
  await office.run(recordStep, { id: await idOf(office, 'A'), step: 'no_show' })
  await office.run(blockTime, { id: 'DC1', from: `${DATE}T06:30`, to: `${DATE}T17:00`, doors: ['Door 1'] })
  const { results, refused } = await office.run(acceptPlan, PLAN)
  expect(refused).toBe(0)
  expect(results).toMatchObject([{ referenceNumber: 'B', outcome: 'moved', newStartTime: '2026-11-17T13:00:00.000Z' }])
})

it('makes moves that a limit binds to each other, in whatever order they are possible', async () => {
  const limits = [{ name: 'Clerks', max: 1, unit: 'appointments', per: 'hour' }]
  const office = await officeOn({ A: ['08:00', 'Door 1'], B: ['09:00', 'Door 2'] }, { limits })
  await office.run(blockTime, { id: 'DC1', from: `${DATE}T08:00`, to: '09:00' })
  await office.run(blockTime, { id: 'DC1', from: `${DATE}T10:00`, to: '18:00', doors: ['Door 1'] })
  const { results, refused, unplaced } = await office.run(acceptPlan, PLAN)
  expect([refused, unplaced]).toEqual([0, []])
  const hours = (await Promise.all(['A', 'B'].map((reference) => placeOf(office, reference)))).map((place) =>
    place.slice(0, 2),
  )
  expect(new Set(hours).size).toBe(2)
  expect(results.length).toBeGreaterThan(0)
})
