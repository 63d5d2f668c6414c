import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { clearAppointments } from '../../../../src/docks/booking/operations/clear-appointments'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { showHistory } from '../../../../src/docks/booking/operations/show-history'
import { blockTime } from '../../../../src/docks/facilities/operations/block-time'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { recordStep } from '../../../../src/docks/visits/services/visit-steps'
import { type DockOffice, load, officeWith, openDockOffice } from '../../dock-fixtures'

const FRIDAY = '2026-11-20'

const book = async (office: DockOffice, changes: Record<string, unknown> = {}) =>
  (await office.run(bookAppointment, load({ targetDate: FRIDAY, ...changes }))).data
const clear = (office: DockOffice, changes: Record<string, unknown> = {}) =>
  office.run(clearAppointments, {
    ...{ facilityCode: 'DC1', date: FRIDAY, policy: 'same-day', doorId: 'Door 1' },
    ...changes,
  })
const list = (office: DockOffice, facilityCode = 'DC1') =>
  office.run(listAppointments, { facilityCode, startDate: FRIDAY, endDate: FRIDAY })

describe('emptying a door on the same day', () => {
  it('keeps the time at another door if one is free, and else takes the nearest time, with a preview', async () => {
    const office = await officeWith()
    const first = await book(office, { startTime: '09:00', doorId: 'Door 1', referenceNumber: 'SAME' })
    const second = await book(office, { startTime: '10:00', doorId: 'Door 1', referenceNumber: 'NEAREST' })
    await book(office, { startTime: '10:00', doorId: 'Door 2' })
    await office.run(blockTime, { id: 'DC1', from: `${FRIDAY}T06:00`, to: '18:00', doors: ['Door 1'] })
    const { planId: _, ...preview } = (await clear(office, { dryRun: true })) as Record<string, unknown>
    expect(await list(office)).toMatchObject([{ doorName: 'Door 1' }, { doorName: 'Door 1' }, { doorName: 'Door 2' }])
    const report = await clear(office, { reason: 'Leveler' })
    expect(report).toEqual({ ...preview, dryRun: false })
    expect(report).toMatchObject({
      moved: 2,
      results: [
        { id: first.id, outcome: 'moved', newStartTime: first.startTime, newDoorName: 'Door 2' },
        { id: second.id, outcome: 'moved', newStartTime: '2026-11-20T17:00:00.000Z', newDoorName: 'Door 2' },
      ],
    })
    expect((await office.run(showHistory, { id: first.id })).at(-1)).toMatchObject({ reason: 'Leveler' })
    expect(await clear(office)).toMatchObject({ results: [] })
  })

  it('gives no appointment a place that another one needs to keep its time', async () => {
    const office = await officeWith()
    await book(office, { startTime: '09:00', doorId: 'Door 1', referenceNumber: 'BESIDE' })
    await book(office, { startTime: '09:00', doorId: 'Door 2' })
    await book(office, { startTime: '10:00', doorId: 'Door 1', referenceNumber: 'KEEPS' })
    await book(office, { startTime: '08:00', doorId: 'Door 2' })
    const { results } = await clear(office)
    expect(results).toMatchObject([
      { referenceNumber: 'BESIDE', newStartTime: '2026-11-20T13:00:00.000Z', newDoorName: 'Door 2' },
      { referenceNumber: 'KEEPS', newStartTime: '2026-11-20T16:00:00.000Z', newDoorName: 'Door 2' },
    ])
  })

  it('moves appointments out of hours at all doors, or of one door to its other hours', async () => {
    const office = await officeWith()
    await book(office, { startTime: '09:00', doorId: 'Door 1' })
    const hours = { fromTime: '08:30', toTime: '10:15' }
    const everywhere = await clear(office, { ...hours, doorId: undefined, dryRun: true })
    expect(everywhere.results).toMatchObject([{ newStartTime: '2026-11-20T16:15:00.000Z', newDoorName: 'Door 1' }])
    const atDoor = await clear(office, { ...hours, dryRun: true })
    expect(atDoor.results).toMatchObject([{ newStartTime: '2026-11-20T15:00:00.000Z', newDoorName: 'Door 2' }])
    await book(office, { startTime: '09:00', doorId: 'Door 2', durationMinutes: 180 })
    await book(office, { startTime: '06:00', doorId: 'Door 2', durationMinutes: 180 })
    const ownDoor = await clear(office, { ...hours, dryRun: true })
    expect(ownDoor.results).toMatchObject([{ newStartTime: '2026-11-20T16:15:00.000Z', newDoorName: 'Door 1' }])
  })

  it('says why an appointment stays', async () => {
    const office = await officeWith({ queues: [{ days: ['fri'], start: '09:00', end: '10:00' }], breaks: [] })
    await book(office, { startTime: '09:00', doorId: 'Door 1', referenceNumber: 'STAYS' })
    await book(office, { startTime: '09:00', doorId: 'Door 2' })
    expect(await clear(office)).toMatchObject({
      refused: 1,
      results: [
        {
          referenceNumber: 'STAYS',
          outcome: 'refused',
          message: 'No slot outside of what is cleared is free on 2026-11-20 (Friday): all slots are taken.',
        },
      ],
    })
    expect((await list(office))[0]).toMatchObject({ referenceNumber: 'STAYS', doorName: 'Door 1', sequence: 0 })
  })

  it('keeps a time within the lead time and one that starts at no slot, and a lowered limit of the day', async () => {
    const office = await officeWith({ slotMinutes: 5 })
    await book(office, { startTime: '09:05', doorId: 'Door 1' })
    const limits = [{ max: 0, per: 'day' }]
    await office.run(updateFacility, { id: 'DC1', slotMinutes: 15, leadMinutes: 240, limits })
    office.at('2026-11-20T14:00:00Z')
    const { results } = await clear(office)
    expect(results).toMatchObject([{ newStartTime: '2026-11-20T15:05:00.000Z', newDoorName: 'Door 2' }])
  })

  it('sends a truck that waits to another door, and leaves one that is at the door or whose time has begun', async () => {
    const office = await officeWith()
    const steps = { '08:00': null, '09:00': 'at_door', '10:00': 'checked_in', '11:00': null } as const
    office.at('2026-11-20T14:30:00Z')
    for (const [startTime, step] of Object.entries(steps)) {
      const { id } = await book(office, {
        startTime: startTime === '08:00' ? '08:45' : startTime,
        doorId: 'Door 1',
        durationMinutes: 15,
      })
      if (step) await recordStep(office.ctx, { id: id!, step })
    }
    office.at('2026-11-20T14:50:00Z')
    const { results } = await clear(office)
    expect(results.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped', 'moved', 'moved'])
    expect((await list(office))[2]).toMatchObject({ doorName: 'Door 2', step: 'checked_in' })
  })

  it('needs a door or hours, because a whole day cannot move to itself', async () => {
    const office = await officeWith()
    const input = { facilityCode: 'DC1', date: FRIDAY, policy: 'same-day', type: 'pickup' }
    expect((await office.refusal(clearAppointments, input)).details).toMatchObject([{ path: 'policy' }])
    await clear(office, { doorId: undefined, toTime: '09:00' })
  })

  it('moves every appointment once at most and books nothing twice, beside bookings, moves and a second clearing', async () => {
    const doors = Array.from({ length: 4 }, (_, index) => ({ name: `Door ${index + 1}` }))
    const office = await officeWith({ doors })
    for (let count = 0; count < 11; count++) await book(office, { doorId: 'Door 1' })
    await office.run(blockTime, { id: 'DC1', from: `${FRIDAY}T06:00`, to: '18:00', doors: ['Door 1'] })
    const others = [await book(office, { doorId: 'Door 2' }), await book(office, { doorId: 'Door 3' })]
    const settle = (calls: Promise<unknown>[]) => Promise.allSettled(calls)
    const [one, two] = await Promise.all([
      clear(office),
      clear(office),
      settle(Array.from({ length: 12 }, () => book(office, { doorId: 'Door 2' }))),
      settle(others.map(({ id }) => office.run(rescheduleAppointment, { id, startTime: `${FRIDAY}T08:00` }))),
    ])
    expect(one!.moved + two!.moved).toBe(11)
    const after = await list(office)
    for (const [index, { startTime, endTime, doorName }] of after.entries()) {
      const beside = after.slice(index + 1).filter((other) => other.doorName === doorName)
      expect(beside.filter((other) => other.startTime < endTime && startTime < other.endTime)).toEqual([])
    }
    expect(after.filter(({ doorName }) => doorName === 'Door 1').every(({ sequence }) => sequence === 0)).toBe(true)
    expect(Math.max(...after.map(({ sequence }) => sequence))).toBe(1)
  })
})

const DOORS = ['A', 'B', 'C']
const [OPEN, CLOSE] = [12, 24]
/** Times are in half hours since midnight UTC. */
interface Placed {
  id: string
  door: string
  from: number
  to: number
}
interface Rules {
  capacity: number | null
  perHour: number | null
  blocked: { door: string; from: number; to: number } | null
}
interface Cleared {
  door: string | null
  hours: { from: number; to: number } | null
}

const meets = (a: { from: number; to: number }, b: { from: number; to: number }) => a.from < b.to && b.from < a.to

/** Whether an appointment may be moved to a place, checked half hour by half hour. */
function isPossible(rules: Rules, placed: readonly Placed[], own: Placed, place: Placed): boolean {
  const others = placed.filter(({ id }) => id !== own.id)
  if (place.from < OPEN || place.to > CLOSE) return false
  if (others.some((other) => other.door === place.door && meets(other, place))) return false
  if (rules.blocked?.door === place.door && meets(rules.blocked, place)) return false
  for (let at = place.from; at < place.to; at++) {
    const wasThere = own.from <= at && at < own.to
    const there = others.filter(({ from, to }) => from <= at && at < to).length
    if (there + 1 > (rules.capacity ?? DOORS.length) && !wasThere) return false
  }
  const hourOf = ({ from }: Placed) => Math.floor(from / 2)
  const inHour = others.filter((other) => hourOf(other) === hourOf(place)).length
  return rules.perHour === null || inHour + 1 <= rules.perHour || hourOf(own) === hourOf(place)
}

/** Where each cleared appointment goes, tried one place after the other. */
function clearByHand(rules: Rules, booked: readonly Placed[], cleared: Cleared): Map<string, Placed | null> {
  const isCleared = (place: Placed) =>
    (cleared.door === null || place.door === cleared.door) && (cleared.hours === null || meets(cleared.hours, place))
  const now = new Map(booked.map((one) => [one.id, one]))
  const result = new Map<string, Placed | null>()
  const moved = booked.filter(isCleared)
  const tryPlaces = (own: Placed, places: Placed[]) => {
    const found = places.find((place) => !isCleared(place) && isPossible(rules, [...now.values()], own, place))
    result.set(own.id, found ?? null)
    if (found) now.set(own.id, found)
  }
  for (const own of moved)
    tryPlaces(
      own,
      DOORS.map((door) => ({ ...own, door })),
    )
  for (const own of moved.filter(({ id }) => result.get(id) === null)) {
    const starts = Array.from({ length: CLOSE - OPEN }, (_, index) => OPEN + index)
    starts.sort((a, b) => Math.abs(a - own.from) - Math.abs(b - own.from) || a - b)
    const doors = [own.door, ...DOORS.filter((door) => door !== own.door)]
    const at = (from: number, door: string) => ({ ...own, door, from, to: from + own.to - own.from })
    tryPlaces(
      own,
      starts.flatMap((from) => doors.map((door) => at(from, door))),
    )
  }
  return result
}

describe('clearing on the same day', () => {
  it('finds for every appointment what trying all places by hand finds', async () => {
    const office = await openDockOffice()
    let facilities = 0
    const toTime = (half: number) => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`
    const toHalf = (instant: string) => (Date.parse(instant) - Date.parse(`${FRIDAY}T00:00Z`)) / (30 * 60_000)
    const hours = fc
      .tuple(fc.integer({ min: OPEN, max: CLOSE - 1 }), fc.integer({ min: 1, max: 6 }))
      .map(([from, length]) => ({ from, to: Math.min(CLOSE, from + length) }))
    const door = fc.constantFrom(...DOORS)
    const scenario = fc.record({
      bookings: fc.array(
        fc.record({ door, from: fc.integer({ min: OPEN, max: CLOSE - 1 }), length: fc.integer({ min: 1, max: 3 }) }),
        { maxLength: 14 },
      ),
      capacity: fc.constantFrom(null, null, 1, 2),
      perHour: fc.constantFrom(null, null, 0, 2),
      blocked: fc.option(fc.tuple(door, hours).map(([door, span]) => ({ door, ...span }))),
      cleared: fc.oneof(fc.record({ door, hours: fc.option(hours) }), fc.record({ door: fc.constant(null), hours })),
    })
    const outcomes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(scenario, async ({ bookings, capacity, perHour, blocked, cleared }) => {
        const facilityCode = `F${++facilities}`
        await office.run(createFacility, {
          ...{ code: facilityCode, name: facilityCode, timeZone: 'Etc/UTC', slotMinutes: 30 },
          queues: [{ days: ['fri'], start: toTime(OPEN), end: toTime(CLOSE) }],
          doors: DOORS.map((name) => ({ name })),
        })
        for (const { door, from, length } of bookings) {
          const place = { startTime: toTime(from), doorId: door, durationMinutes: length * 30 }
          await book(office, { facilityCode, ...place }).catch(() => null)
        }
        const limits = perHour === null ? [] : [{ max: perHour, per: 'hour' }]
        await office.run(updateFacility, { id: facilityCode, capacity, limits })
        if (blocked) {
          const span = { from: `${FRIDAY}T${toTime(blocked.from)}`, to: toTime(blocked.to) }
          await office.run(blockTime, { id: facilityCode, ...span, doors: [blocked.door] })
        }
        const booked = (await list(office, facilityCode)).map(({ id, doorName, startTime, endTime }) => ({
          ...{ id, door: doorName, from: toHalf(startTime), to: toHalf(endTime) },
        }))
        const expected = clearByHand({ capacity, perHour, blocked }, booked, cleared)
        const { results } = await clear(office, {
          facilityCode,
          doorId: cleared.door ?? undefined,
          ...(cleared.hours && { fromTime: toTime(cleared.hours.from), toTime: toTime(cleared.hours.to) }),
        })
        const found = results.map(({ id, newStartTime, newDoorName }) => [
          id,
          newStartTime && `${newDoorName} ${toHalf(newStartTime)}`,
        ])
        expect(found).toEqual([...expected].map(([id, place]) => [id, place && `${place.door} ${place.from}`]))
        for (const { id, startTime, newStartTime } of results) {
          const place = expected.get(id)
          outcomes.add(!place ? 'refused' : newStartTime === startTime ? 'same time' : 'other time')
        }
      }),
      { numRuns: 60 },
    )
    expect([...outcomes].sort()).toEqual(['other time', 'refused', 'same time'])
  })
})
