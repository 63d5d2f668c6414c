import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { createHold } from '../../../src/docks/booking/operations/create-hold'
import { pinAppointment } from '../../../src/docks/booking/operations/pin-appointment'
import { blockTime } from '../../../src/docks/facilities/operations/block-time'
import { createFacility } from '../../../src/docks/facilities/operations/create-facility'
import { removeDoor } from '../../../src/docks/facilities/operations/remove-door'
import { updateDoor } from '../../../src/docks/facilities/operations/update-door'
import { updateFacility } from '../../../src/docks/facilities/operations/update-facility'
import { docksTables } from '../../../src/docks/queries/docks-tables'
import { recordStep } from '../../../src/docks/visits/operations/record-step'
import { type AnyOperation, StudioError } from '../../../src/kernel'
import { createRandom, type Random } from '../../../src/kernel/random'
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel/time'
import { clockChangeDates } from '../booking/rules/slot-search-property'
import { wallClockAround } from '../booking/rules/wall-clock-table'
import type { DockOffice } from '../dock-fixtures'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const features = ['reefer', 'hazmat']
const carriers = ['Acme', 'Blue Freight', 'Red Line']

export interface RandomSite {
  timeZone: string
  date: string
}

/** Choices of a test: numbers, entries and chances. */
export function createChoices(random: Random) {
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const is = (share: number) => random() < share
  const pick = <Value>(values: readonly Value[]): Value => values[int(0, values.length - 1)]!
  const some = <Value>(values: readonly Value[], share: number): Value[] => values.filter(() => is(share))
  return { int, is, pick, some }
}
export type Choices = ReturnType<typeof createChoices>

/** Does what is possible: random calls may be refused. */
async function attempt(office: DockOffice, op: AnyOperation, input: unknown): Promise<any> {
  return office.run(op, input).catch((error) => {
    if (error instanceof StudioError && error.code !== 'internal') return null
    throw error
  })
}

/**
 * A facility on a date with a clock change or without one, with appointments and holds, after whose booking much goes wrong: doors fail or cannot
 * take what they could, hours are blocked, closed and limited, trucks are late, early, or stay too long. The office's clock is in that date
 * afterwards.
 */
export async function createRandomSite(
  office: DockOffice,
  { seed, doorCount, perDoor = 4 }: { seed: number; doorCount?: number; perDoor?: number },
): Promise<RandomSite> {
  const choices = createChoices(createRandom(seed))
  const { int, is, pick, some } = choices
  const dates = clockChangeDates.filter(([, date]) => date >= '2026-03' && date < '2027')
  const [timeZone, date] = pick([...dates, ['America/Chicago', '2026-11-17'] as const])
  const ofDate = wallClockAround(timeZone, date).minutes.filter((minute) => minute.date === date)
  const midnight = ofDate[0]!.at
  office.at(new Date(midnight - 20 * HOUR_MS).toISOString())
  const names = Array.from({ length: doorCount ?? int(10, 30) }, (_, number) => `D${number}`)
  const doors = names.map((name, number) => ({
    ...{ name, types: is(0.8) ? ['pickup', 'delivery'] : [pick(['pickup', 'delivery'])] },
    ...{ features: number === 0 ? features : some(features, 0.3), maxHeight: is(0.3) ? 150 : null },
  }))
  const slotMinutes = pick([15, 15, 30])
  const close = pick(['20:00', '22:00', '01:30'])
  const queues = [
    { days, start: '01:00', end: '05:00', doors: some(names, 0.3).concat('D0') },
    { days, start: '04:00', end: close },
  ]
  const breaks = is(0.5) ? [{ days, start: '12:00', end: '12:30', doors: some(names, 0.5).concat('D0') }] : []
  const rules = { timeZone, queues, breaks, slotMinutes, bufferMinutes: pick([0, 0, 5, 10]) }
  await office.run(createFacility, { code: 'DC1', name: 'Random', doors, ...rules })
  await book(office, choices, { midnight, doors, slotMinutes, count: names.length * perDoor })
  await breakDoors(office, choices, { names, midnight })
  await office.run(updateFacility, { id: 'DC1', ...changeRules(choices, { names, queues, close }) })
  office.at(new Date(midnight + int(5 * 60, 14 * 60) * MINUTE_MS + int(0, 59_999)).toISOString())
  await moveTrucks(office, choices)
  return { timeZone, date }
}

async function book(
  office: DockOffice,
  { int, is, pick, some }: Choices,
  {
    midnight,
    doors,
    slotMinutes,
    count,
  }: {
    midnight: number
    doors: readonly { name: string; types: string[]; features: string[]; maxHeight: number | null }[]
    slotMinutes: number
    count: number
  },
): Promise<void> {
  for (let number = 0; number < count; number++) {
    const door = pick(doors)
    const startAt = midnight + int(-4, (26 * 60) / slotMinutes) * slotMinutes * MINUTE_MS
    const place = {
      ...{ facilityCode: 'DC1', doorId: door.name, startTime: new Date(startAt).toISOString() },
      ...{ type: pick(door.types), durationMinutes: int(1, 12) * 15, requirements: some(door.features, 0.3) },
      ...{ carrierName: pick(carriers), palletCount: is(0.7) ? int(1, 20) : null },
      equipmentHeight: is(0.5) ? int(100, door.maxHeight ?? 160) : null,
    }
    if (is(0.04)) await attempt(office, createHold, { ...place, holdMinutes: 1440 })
    else await attempt(office, bookAppointment, { ...place, referenceNumber: `R-${number}` })
  }
}

/** Doors that are removed, not used, or not what they were. */
async function breakDoors(
  office: DockOffice,
  { int, is, pick }: Choices,
  { names, midnight }: { names: readonly string[]; midnight: number },
): Promise<void> {
  const ofDoor = (name: string) => ({ facilityCode: 'DC1', name })
  for (const name of names.slice(1)) {
    if (is(0.04)) await attempt(office, removeDoor, ofDoor(name))
    else if (is(0.12)) await attempt(office, updateDoor, { ...ofDoor(name), active: false })
    else if (is(0.08)) await attempt(office, updateDoor, { ...ofDoor(name), features: [], maxHeight: 120 })
    else if (is(0.15)) {
      const from = midnight + int(4 * 4, 20 * 4) * 15 * MINUTE_MS
      const [start, end] = [from, from + int(1, 20) * 15 * MINUTE_MS].map((at) => new Date(at).toISOString())
      await attempt(office, blockTime, { id: 'DC1', from: start, to: end, doors: is(0.1) ? null : [name, pick(names)] })
    }
  }
}

function changeRules(
  { int, is, pick, some }: Choices,
  { names, queues, close }: { names: readonly string[]; queues: readonly object[]; close: string },
): object {
  const limit = (name: string, more: object) => ({ name, eachCarrier: is(0.3), ...more })
  const limits = [
    limit('Clerks', { max: int(1, 8), per: 'hour', types: is(0.5) ? ['pickup'] : null }),
    limit('Forklifts', { max: int(10, 100), unit: 'pallets', per: 'moment' }),
    limit('Crew', { max: int(5, names.length), per: 'moment', carriers: is(0.3) ? [pick(carriers)] : null }),
    limit('Date', { max: int(10, 100), per: 'day' }),
  ]
  return {
    limits: is(0.5) ? some(limits, 0.5) : [],
    capacity: is(0.5) ? int(2, names.length) : null,
    moveAnnounced: is(0.3),
    queues: is(0.3) ? [{ ...queues[0] }, { ...queues[1], end: close === '22:00' ? '18:00' : '19:30' }] : queues,
  }
}

/** Where each truck is, as far as the clock has come; and which appointments must stay. */
async function moveTrucks(office: DockOffice, { is, pick, some }: Choices): Promise<void> {
  const now = office.ctx.clock.now()
  const booked = await office.db.read((tx) =>
    docksTables(tx).selectFrom('appointment').select(['id', 'start_at', 'end_at']).orderBy('id').execute(),
  )
  for (const { id, start_at, end_at } of booked) {
    if (is(0.06)) await office.run(pinAppointment, { id })
    if (is(0.06))
      await office.db.write((tx) =>
        docksTables(tx).updateTable('appointment').set({ door_announced_at: now }).where('id', '=', id).execute(),
      )
    const step = async (name: string, more = {}) => attempt(office, recordStep, { id, step: name, ...more })
    if (start_at > now + 3 * HOUR_MS) continue
    if (start_at > now) {
      if (is(0.2)) await step(pick(['checked_in', 'checked_in', 'at_door']), { early: true })
      continue
    }
    const [first] = some(['no_show', 'checked_in', 'at_door'], 0.3).concat(is(0.7) ? ['at_door'] : [])
    if (first) await step(first)
    if (first === 'at_door' && is(end_at < now ? 0.8 : 0.1)) await step('completed')
  }
}
