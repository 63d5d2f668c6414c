import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { createHold } from '../../../../src/docks/booking/operations/create-hold'
import { pinAppointment } from '../../../../src/docks/booking/operations/pin-appointment'
import { unpinAppointment } from '../../../../src/docks/booking/operations/unpin-appointment'
import { addWebhook } from '../../../../src/docks/events/operations/add-webhook'
import { listEvents } from '../../../../src/docks/events/operations/list-events'
import { blockTime } from '../../../../src/docks/facilities/operations/block-time'
import { checkInAppointment } from '../../../../src/docks/visits/operations/check-in-appointment'
import { StudioError } from '../../../../src/kernel'
import { load, officeWith } from '../../dock-fixtures'
import { type Dock, expectApart, expectOnlyMoves, findFewestMoves, readDock, type WantedStay } from '../room-oracle'

const DATES = ['2026-11-17', '2026-11-18']
const SLOTS = 8
const SLOT_MS = 1_800_000
const FEATURES = ['reefer', 'lift']
const NAMES = ['A', 'B', 'C', 'D', 'E']
const REFUSALS = ['slot_unavailable', 'fully_booked', 'no_slot', 'facility_closed']

const ANY_LOAD = { features: FEATURES, types: ['pickup', 'delivery'], maxHeight: null }

const facility = fc.record({
  makeRoom: fc.constantFrom('ask', 'ask', 'always'),
  doors: fc
    .array(
      fc.record({
        features: fc.constantFrom([], [], ['reefer'], ['lift']),
        types: fc.constantFrom(ANY_LOAD.types, ANY_LOAD.types, ANY_LOAD.types, ['pickup'], ['delivery']),
        maxHeight: fc.constantFrom(null, null, 150),
      }),
      { minLength: 4, maxLength: NAMES.length },
    )
    // Ordinary loads take the first door, which alone can take all loads.
    .map(([_, ...doors]) => [ANY_LOAD, ...doors].map((door, index) => ({ ...door, name: NAMES[index] }))),
  bufferMinutes: fc.constantFrom(0, 0, 0, 30),
  capacity: fc.constantFrom(null, null, null, null, null, 3),
  moveAnnounced: fc.boolean(),
  limits: fc.constantFrom(
    ...Array.from({ length: 9 }, () => []),
    [{ name: 'Crew', max: 2, unit: 'appointments', per: 'hour' }],
    [{ name: 'Forklifts', max: 30, unit: 'pallets', per: 'moment' }],
    [{ name: 'Fair', max: 4, unit: 'appointments', per: 'day', eachCarrier: true }],
  ),
})

const place = {
  day: fc.constantFrom(0, 0, 0, 0, 0, 1),
  slot: fc.nat(SLOTS - 1),
  length: fc.constantFrom(30, 30, 60, 90),
}
const wish = {
  ...place,
  type: fc.constantFrom('pickup' as const, 'delivery' as const),
  needs: fc.constantFrom([], [], [], ['reefer'], ['lift']),
  height: fc.constantFrom(null, null, null, 140, 160),
  pallets: fc.constantFrom(null, 5, 20),
  carrier: fc.constantFrom('Blue Freight', 'Acme'),
  door: fc.constantFrom(...Array.from({ length: 30 }, () => null), ...NAMES),
}
const which = fc.nat(99)
const steps = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ does: fc.constant('book' as const), ...wish, ...isAsked() }), weight: 12 },
    { arbitrary: fc.record({ does: fc.constant('hold' as const), ...wish }), weight: 1 },
    { arbitrary: fc.record({ does: fc.constantFrom('pin', 'unpin', 'cancel', 'checkIn'), which }), weight: 2 },
    {
      arbitrary: fc.record({ does: fc.constant('block' as const), ...place, door: fc.constantFrom(...NAMES) }),
      weight: 1,
    },
    { arbitrary: fc.record({ does: fc.constant('wait' as const) }), weight: 1 },
  ),
  { minLength: 20, maxLength: 40 },
)

function isAsked() {
  return {
    makeRoom: fc.constantFrom(true, true, false),
    /** Otherwise the first possible start from the date on. */
    isAtStart: fc.constantFrom(true, true, true, true, false),
    isDryRun: fc.constantFrom(false, false, false, true),
    isAnnounced: fc.constantFrom(false, false, false, true),
  }
}

type Facility = typeof facility extends fc.Arbitrary<infer Value> ? Value : never
type Step = typeof steps extends fc.Arbitrary<(infer Value)[]> ? Value : never
type Booking = Extract<Step, { does: 'book' }>
const startOf = (day: number, slot: number) => Date.parse(`${DATES[day]}T06:00:00Z`) + slot * SLOT_MS

/** Where the booking must be, and with how many moves: by trying every start of its dates, and every door of all appointments. */
function findExpected(dock: Dock, { makeRoom: isRoomAsked, ...wanted }: Booking, setting: string) {
  const toStay = (from: number): WantedStay => ({ ...wanted, from, to: from + wanted.length * 60_000 })
  const isDoor = (name: string) => wanted.door === null || wanted.door === name
  const days = wanted.isAtStart ? [wanted.day] : DATES.flatMap((_, day) => (day < wanted.day ? [] : [day]))
  const startsOn = (day: number) =>
    Array.from({ length: SLOTS }, (_, slot) => startOf(day, slot)).filter((from) => {
      const isWished = !wanted.isAtStart || from === startOf(day, wanted.slot)
      return isWished && from >= dock.now && toStay(from).to <= startOf(day, SLOTS)
    })
  // Who asks for room gets it on a date before the next date is tried.
  for (const tried of isRoomAsked ? days.map((day) => [day]) : [days]) {
    const found = tried.flatMap(startsOn).map((from) => ({ from, moves: findFewestMoves(dock, toStay(from), isDoor) }))
    const free = found.find(({ moves }) => moves === 0)
    const withRoom = isRoomAsked || setting === 'always' ? found.find(({ moves }) => moves !== null) : undefined
    if (free ?? withRoom) return free ?? withRoom!
  }
  return null
}

async function openDock(settings: Facility) {
  const hours = { days: ['tue', 'wed'], start: '06:00', end: '10:00' }
  const office = await officeWith({
    ...{ ...settings, timeZone: 'Etc/UTC', queues: [hours], breaks: [] },
    closures: [{ from: '2026-11-19', to: '2026-12-31' }],
    ...{ slotMinutes: 30, minMinutes: 30, maxMinutes: 90 },
  })
  const mail = { url: 'smtp://127.0.0.1', from: 'docks@example.com' }
  await office.run(addWebhook, { url: 'contacts' }, { ...office.ctx, mail } as never)
  const read = () => readDock(office.db, 'DC1', office.ctx.clock.now())
  const toRequest = ({
    day,
    slot,
    length,
    type,
    needs,
    height,
    pallets,
    carrier,
    door,
  }: Booking | Extract<Step, { does: 'hold' }>) =>
    load({
      ...{
        type,
        carrierName: carrier,
        palletCount: pallets,
        equipmentHeight: height,
        requirements: needs,
        doorId: door,
      },
      ...{ targetDate: DATES[day], startTime: new Date(startOf(day, slot)).toISOString(), durationMinutes: length },
    })
  return { ...office, read, toRequest, setting: settings.makeRoom }
}
type OpenDock = Awaited<ReturnType<typeof openDock>>

/** Books, and compares what that did with what it had to do. Returns the number of moves; null if it was refused. */
async function bookOn({ run, read, toRequest, setting }: OpenDock, step: Booking): Promise<number | null> {
  const before = await read()
  const expected = findExpected(before, step, setting)
  const { lastId: since } = await run(listEvents, { since: 0, limit: 1000 })
  const start = step.isAtStart ? {} : { startTime: null }
  const contacts = step.isAnnounced ? { contactEmails: ['driver@example.com'] } : {}
  const request = { ...toRequest(step), ...start, ...contacts, makeRoom: step.makeRoom, dryRun: step.isDryRun }
  const booked = await run(bookAppointment, request).catch((error: StudioError) => error)
  const after = await read()
  const { events } = await run(listEvents, { since })
  if (booked instanceof StudioError) {
    expect([expected, REFUSALS]).toEqual([null, expect.arrayContaining([booked.code])])
    expect([after, events]).toEqual([before, []])
    return null
  }
  const { data, moves = [] } = booked
  expect({ from: Date.parse(data.startTime), moves: moves.length }).toEqual(expected)
  if (step.isDryRun) expect([after, events]).toEqual([before, []])
  else {
    expectOnlyMoves(before, after, { id: data.id!, moves })
    const moved = events.filter(({ event }) => event === 'appointment.rescheduled')
    expect(moved.map(({ data: { appointment } }) => appointment.id).sort()).toEqual(moves.map(({ id }) => id).sort())
  }
  return moves.length
}

async function follow(dock: OpenDock, step: Step, random: { ids: string[] }): Promise<void> {
  const { run, toRequest, at, ctx } = dock
  if (step.does === 'hold') {
    const { referenceNumber: _, targetDate: _date, ...request } = toRequest(step)
    await run(createHold, { ...request, holdMinutes: 600 })
  } else if (step.does === 'block') {
    const from = new Date(startOf(step.day, step.slot)).toISOString()
    const to = new Date(startOf(step.day, step.slot) + step.length * 60_000).toISOString()
    await run(blockTime, { id: 'DC1', from, to, doors: [step.door] })
  } else if (step.does === 'wait') {
    at(new Date(Math.min(ctx.clock.now() + 7 * 3_600_000, startOf(0, 4))).toISOString())
  } else if ('which' in step && random.ids.length > 0) {
    const id = random.ids[step.which % random.ids.length]!
    const operations = { pin: pinAppointment, unpin: unpinAppointment, cancel: cancelAppointment }
    if (step.does === 'checkIn') await run(checkInAppointment, { id, early: true })
    else await run(operations[step.does as keyof typeof operations] as typeof cancelAppointment, { id })
  }
}

describe('room on random days', () => {
  it('is made where trying everything finds it, with as few moves, and moves no one that must stay', async () => {
    const seen = { free: 0, room: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(facility, steps, async (settings, all) => {
        const dock = await openDock(settings)
        for (const step of all) {
          if (step.does === 'book' && (step.door === null || settings.doors.some(({ name }) => name === step.door))) {
            const moves = await bookOn(dock, step)
            seen[moves === null ? 'refused' : moves === 0 ? 'free' : 'room']++
          } else if (step.does !== 'book') {
            const { stays } = await dock.read()
            const ids = stays.flatMap(({ id, reference }) => (reference === null ? [] : [id]))
            // Such as a hold of a taken slot, or the arrival of a truck that is here.
            await follow(dock, step, { ids }).catch((error) => expect(error).toBeInstanceOf(StudioError))
          }
          expectApart(await dock.read())
        }
      }),
      // Biased values would all be at the first start. A failure is not made smaller, because each run takes most of a second.
      { numRuns: 60, unbiased: true, endOnFailure: true },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20)
  })
})
