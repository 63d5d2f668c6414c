import fc from 'fast-check'
import { expect, it } from 'vitest'
import { getDecisiveSpan } from '../../../../src/docks/booking/rules/limits'
import { type Load, toLoad } from '../../../../src/docks/booking/rules/load'
import { PlacementCheck, placeAt } from '../../../../src/docks/booking/rules/placement'
import { type SlotRequest, searchSlot } from '../../../../src/docks/booking/rules/slot-search'
import { type BusySpan, getFacilityCapacity } from '../../../../src/docks/booking/rules/spans'
import {
  type AppointmentType,
  appointmentTypes,
  type Door,
  type FacilityRules,
  limitPeriods,
  type Weekday,
  weekdays,
} from '../../../../src/docks/facilities/rules/facility'
import { formatDate, parseDate, parseTimeOfDay } from '../../../../src/kernel/time'
import { type BruteAnswer, bruteForce } from './brute-force-scheduler'
import { wallClockAround } from './wall-clock-table'

/** Dates with clock changes, and a few without. */
export const clockChangeDates: [timeZone: string, date: string][] = [
  ['America/Chicago', '2026-03-08'],
  ['America/Chicago', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'], // half an hour back
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Africa/Cairo', '2026-04-24'], // no midnight
  ['Africa/Cairo', '2026-10-29'], // 23:00 twice
  ['Asia/Beirut', '2026-03-29'],
  ['Asia/Beirut', '2026-10-24'],
  ['America/Sao_Paulo', '2017-10-15'],
  ['America/Sao_Paulo', '2018-02-17'],
  ['America/St_Johns', '2010-11-06'], // back at 00:01, so the date has two separate parts
  ['Pacific/Apia', '2011-12-29'], // the next date is skipped
  ['Antarctica/Troll', '2026-03-29'], // two hours at once
  ['Antarctica/Troll', '2026-10-25'],
  ['Asia/Kathmandu', '2026-06-01'],
  ['Etc/UTC', '2026-02-28'],
]

const doorNames = ['A', 'B', 'C']
const time = fc
  .oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 47 }).map((half) => half * 30) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 1439 }) },
  )
  .map((minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`)
const someDays: fc.Arbitrary<Weekday[]> = fc.oneof(
  fc.constant<Weekday[]>([...weekdays]),
  fc.subarray<Weekday>([...weekdays], { minLength: 1 }),
)
const weekly = {
  name: fc.constant('hours'),
  days: someDays,
  start: time,
  end: time,
  doors: fc.option(fc.subarray(doorNames, { minLength: 1 }), { freq: 2 }),
}

const seldom = <Value>(entry: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<Value[]>([]) },
    { weight: 1, arbitrary: fc.array(entry, { maxLength: 2 }) },
  )

const facilityOn = (timeZone: string, date: string): fc.Arbitrary<FacilityRules> =>
  fc.record({
    timeZone: fc.constant(timeZone),
    queues: fc.array(fc.record({ ...weekly, types: fc.option(fc.subarray([...appointmentTypes], { minLength: 1 })) }), {
      minLength: 1,
      maxLength: 3,
    }),
    breaks: fc.array(fc.record(weekly), { maxLength: 2 }),
    closures: fc.array(
      fc.tuple(fc.integer({ min: -1, max: 4 }), fc.integer({ min: 0, max: 1 })).map(([shift, length]) => ({
        from: formatDate(parseDate(date) + shift),
        to: formatDate(parseDate(date) + shift + length),
        reason: null,
      })),
      { maxLength: 1 },
    ),
    lengths: fc.constant([]),
    blockedTimes: seldom(
      fc
        .record({
          start: fc.integer({ min: -1440, max: 3 * 1440 }),
          minutes: fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1440, max: 3 * 1440 })),
          doors: weekly.doors,
        })
        .map(({ start, minutes, doors }) => {
          const from = Date.parse(`${date}T00:00:00Z`) + start * 60_000
          const [first, last] = [from, from + minutes * 60_000].map((at) => new Date(at).toISOString())
          return { from: first!, to: last!, doors, reason: null }
        }),
    ),
    bufferMinutes: fc.constantFrom(0, 0, 10, 60),
    limits: seldom(
      fc.record({
        name: fc.constant('limit'),
        max: fc.nat(3),
        unit: fc.constantFrom('appointments', 'pallets'),
        per: fc.constantFrom(...limitPeriods),
        types: fc.option(fc.constant<AppointmentType[]>(['pickup'])),
        carriers: fc.option(fc.constantFrom(['Acme'], ['Blue', 'Acme'])),
        eachCarrier: fc.boolean(),
      }),
    ),
    minMinutes: fc.constant(15),
    maxMinutes: fc.constant(1440),
    defaultMinutes: fc.constant(60),
    slotMinutes: fc.constantFrom(1, 5, 15, 20, 30, 45, 50, 60, 120, 1440),
    leadMinutes: fc.constant(0),
    capacity: fc.constantFrom(null, null, 1, 2),
    advanceToNextOpenDay: fc.constant(true),
  })

const doorsArbitrary: fc.Arbitrary<Door[]> = fc
  .array(
    fc.record({
      types: fc.subarray([...appointmentTypes], { minLength: 1 }),
      active: fc.constantFrom(true, true, true, false),
      features: fc.constantFrom<string[][]>(['hazmat', 'reefer'], ['reefer'], []),
      maxHeight: fc.constantFrom(null, 150),
    }),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((doors) =>
    doors.map((door, index) => ({ ...door, id: `id-${index}`, name: doorNames[index]!, position: 3 - index })),
  )

const operation = fc.record({
  kind: fc.constantFrom('book', 'book', 'place', 'place', 'move', 'cancel'),
  which: fc.nat(),
  minutes: fc.oneof(fc.constantFrom(15, 30, 60, 120), fc.integer({ min: 15, max: 1440 })),
  shift: fc.integer({ min: 0, max: 2 }),
  moreDays: fc.integer({ min: 0, max: 2 }),
  /** Minutes past the middle of the table, in which nothing may start before. */
  notBefore: fc.option(fc.integer({ min: -1440, max: 3 * 1440 }), { freq: 2 }),
  window: fc.option(
    fc.tuple(time, time).map((times) => times.toSorted()),
    { freq: 2 },
  ),
  /** The starts of its first date that are not accepted, in quarters of an hour past midnight UTC. */
  excluded: seldom(fc.integer({ min: 0, max: 100 })),
  /** The start to place it at, in quarters of an hour past the first minute of the date. */
  quarters: fc.integer({ min: 0, max: 100 }),
  load: fc
    .record({
      type: fc.constantFrom(...appointmentTypes),
      requirements: fc.constantFrom(null, null, null, null, 'reefer', 'hazmat reefer'),
      equipmentHeight: fc.constantFrom(null, null, null, null, 150, 151),
      carrierName: fc.constantFrom(null, 'Acme', 'Blue'),
      palletCount: fc.constantFrom(null, 1, 2),
    })
    .map((load): Load => ({ ...toLoad({ type: load.type }), ...load })),
})

/** Appointments at a removed or inactive door, in minutes from midnight UTC. */
const leftStanding = fc.array(
  fc.record({
    doorId: fc.constantFrom('gone', 'gone too'),
    from: fc.integer({ min: -1440, max: 3 * 1440 }),
    minutes: fc.integer({ min: 15, max: 1440 }),
  }),
  { maxLength: 3 },
)

interface Scenario {
  facility: FacilityRules
  doors: Door[]
  left: Left[]
  operations: Operation[]
}

type Left = typeof leftStanding extends fc.Arbitrary<(infer Value)[]> ? Value : never
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

const scenarioOn = (timeZone: string, date: string): fc.Arbitrary<Scenario> =>
  fc.record({
    facility: facilityOn(timeZone, date),
    doors: doorsArbitrary,
    left: leftStanding,
    operations: fc.array(operation, { minLength: 1, maxLength: 8 }),
  })

/** A day of one hour with two bookings, because random samples rarely have a full date. */
const fullDay: Scenario = {
  facility: {
    timeZone: '',
    queues: [{ name: 'hours', days: [...weekdays], start: '06:00', end: '07:00', doors: null, types: null }],
    breaks: [],
    closures: [],
    blockedTimes: [],
    bufferMinutes: 0,
    limits: [],
    lengths: [],
    minMinutes: 15,
    maxMinutes: 1440,
    defaultMinutes: 60,
    slotMinutes: 15,
    leadMinutes: 0,
    capacity: null,
    advanceToNextOpenDay: true,
  },
  doors: [
    { id: 'id-0', name: 'A', position: 1, types: [...appointmentTypes], active: true, features: [], maxHeight: null },
  ],
  left: [],
  operations: Array.from({ length: 2 }, () => ({
    kind: 'book',
    which: 0,
    load: toLoad({ type: 'pickup' }),
    minutes: 60,
    shift: 0,
    moreDays: 0,
    notBefore: null,
    window: null,
    excluded: [],
    quarters: 0,
  })),
}

/** The same day blocked, with a limit that allows nothing, and with a chosen start. */
const constrainedDays: Scenario[] = [
  withRules({ blockedTimes: [{ from: '2000-01-01', to: '2100-01-01', doors: null, reason: null }] }),
  withRules({
    limits: [{ name: '', max: 0, unit: 'appointments', per: 'day', types: null, carriers: null, eachCarrier: false }],
  }),
  { ...fullDay, operations: fullDay.operations.map((one) => ({ ...one, kind: 'place', quarters: 24 })) },
]

function withRules(rules: Partial<FacilityRules>): Scenario {
  return { ...fullDay, facility: { ...fullDay.facility, ...rules } }
}

function answerOf(request: SlotRequest, busy: readonly BusySpan[]): BruteAnswer {
  const search = searchSlot(request)
  let step = search.next()
  while (!step.done) {
    const reach = step.value
    step = search.next(reach === null ? [] : busy.filter((span) => span.from < reach.to && reach.from < span.to))
  }
  const answer = step.value
  if (answer.slot) return { slot: { door: answer.slot.door.name, from: answer.slot.from }, reasons: [] }
  const reasons = answer.refusals.flatMap(({ day, doors, reason }) =>
    doors.map((door) => `${formatDate(day)} ${door.name} ${reason}`),
  )
  return { slot: null, reasons: reasons.sort() }
}

/** What `placeAt` answers for one start. */
function placementOf({ startAt, ...request }: SlotRequest & { startAt: number }, busy: readonly BusySpan[]) {
  const reach = getDecisiveSpan(request.facility, { from: startAt, to: startAt + request.minutes * 60_000 })
  const around = busy.filter((span) => span.from < reach.to && reach.from < span.to)
  const placed = placeAt(new PlacementCheck(request.facility, request.doors, around), request, startAt)
  return placed.slot ? { door: placed.slot.door.name, from: placed.slot.from } : null
}

/** Compares the search with one that tries every minute. Returns the kinds of results, to check the coverage. */
export function itMatchesBruteForce(dates: typeof clockChangeDates, numRuns: number): Set<string> {
  const seen = new Set<string>()

  it.each(dates)('finds the same as a search that tries every minute: %s, %s', (timeZone, date) => {
    const clock = wallClockAround(timeZone, date)
    const midnight = Date.parse(`${date}T00:00:00Z`)
    const follow = ({ facility, doors, left, operations }: Scenario) => {
      const busy: BusySpan[] = left.map(({ doorId, from, minutes }) => {
        const start = midnight + from * 60_000
        return { doorId, from: start, to: start + minutes * 60_000 }
      })
      for (const { kind, which, load, minutes, shift, moreDays, notBefore, window, excluded, quarters } of operations) {
        const freed =
          kind === 'book' || kind === 'place' || busy.length === 0 ? [] : busy.splice(which % busy.length, 1)
        if (kind === 'cancel') continue
        const moved = freed[0] ?? null
        const firstDay = parseDate(date) + shift
        const request: SlotRequest = {
          facility,
          capacity: getFacilityCapacity(facility, doors),
          doors,
          load,
          minutes,
          firstDay,
          lastDay: firstDay + moreDays,
          notBefore: notBefore === null ? clock.minutes[0]!.at : midnight + notBefore * 60_000,
          window: window && { from: parseTimeOfDay(window[0]!), to: parseTimeOfDay(window[1]!) },
          replaces: moved ? { freed, ownTime: moved } : undefined,
          excludedStarts: excluded.map((quarter) => midnight + (shift * 96 + quarter) * 15 * 60_000),
        }
        const dates = Array.from({ length: moreDays + 1 }, (_, index) => formatDate(firstDay + index))
        if (kind === 'place') {
          const startAt = (clock.minutes.find((minute) => minute.date >= dates[0]!)?.at ?? 0) + quarters * 15 * 60_000
          const chosen = { ...request, startAt, window: null, excludedStarts: [] }
          const { slot } = bruteForce({
            ...chosen,
            dates: [...new Set(clock.minutes.map(({ date }) => date))],
            busy,
            clock,
          })
          expect(placementOf(chosen, busy)).toEqual(slot)
          seen.add(slot ? 'placed' : 'not placed')
          const door = doors.find(({ name }) => name === slot?.door)
          if (door) busy.push({ ...load, doorId: door.id, from: startAt, to: startAt + minutes * 60_000 })
          continue
        }
        const asked = { ...request, window: window && { from: window[0]!, to: window[1]! } }
        const expected = bruteForce({ ...asked, dates, busy, moved, clock })
        expect(answerOf(request, busy)).toEqual({ ...expected, reasons: expected.reasons.sort() })
        const kinds = expected.reasons.map((reason) => reason.split(' ')[2]!)
        for (const kind of expected.slot ? ['slot'] : kinds.length > 0 ? kinds : ['no door']) seen.add(kind)
        const door = doors.find((candidate) => candidate.name === expected.slot?.door)
        if (expected.slot && door) {
          busy.push({ ...load, doorId: door.id, from: expected.slot.from, to: expected.slot.from + minutes * 60_000 })
        } else busy.push(...freed)
      }
    }
    const examples: [Scenario][] = [fullDay, ...constrainedDays].map((day) => [
      { ...day, facility: { ...day.facility, timeZone } },
    ])
    fc.assert(fc.property(scenarioOn(timeZone, date), follow), { numRuns, examples })
  })

  return seen
}
