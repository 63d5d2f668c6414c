import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Span } from '../../../../src/docks/booking/rules/spans'
import { type CountedAppointment, DockFigureSums } from '../../../../src/docks/reports/rules/dock-figures'
import { getLocalDay } from '../../../../src/docks/rules/zoned-time'

const MINUTE = 60_000
const ZONES = ['America/Chicago', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC']
/** Around the clock changes of 2026 in three of the zones, and some days without one. */
const starts = ['2026-03-08T00:00Z', '2026-04-04T00:00Z', '2026-06-01T00:00Z', '2026-11-01T00:00Z'].map(Date.parse)

const anySpan = fc
  .record({
    base: fc.constantFrom(...starts),
    offset: fc.integer({ min: 0, max: 48 * 60 }),
    minutes: fc.integer({ min: 1, max: 300 }),
  })
  .map(({ base, offset, minutes }): Span => {
    const from = base + offset * MINUTE
    return { from, to: from + minutes * MINUTE }
  })
const minutesOrNull = fc.option(fc.integer({ min: 0, max: 300 }))
const anyVisit = fc.record({
  arrival: fc.option(fc.constantFrom('early' as const, 'on_time' as const, 'late' as const)),
  minutesAfterStart: minutesOrNull,
  waitMinutes: minutesOrNull,
  turnMinutes: minutesOrNull,
  dwellMinutes: minutesOrNull,
  detentionMinutes: minutesOrNull,
})
const anyAppointment = fc
  .record({
    span: anySpan,
    doorId: fc.constantFrom('1', '2'),
    state: fc.constantFrom(
      { status: 'scheduled' as const, step: null },
      { status: 'scheduled' as const, step: 'no_show' as const },
      { status: 'completed' as const, step: 'departed' as const },
      { status: 'cancelled' as const, step: null },
      // A truck may come, and its appointment be cancelled all the same.
      { status: 'cancelled' as const, step: 'checked_in' as const },
      { status: 'cancelled' as const, step: 'loading' as const },
      // The slot of a truck that did not come, or was sent away, was released.
      { status: 'cancelled' as const, step: 'no_show' as const },
      { status: 'cancelled' as const, step: 'turned_away' as const },
    ),
    carrierName: fc.constantFrom('Blue', 'Red'),
    palletCount: fc.option(fc.integer({ min: 0, max: 40 })),
    leadMinutes: fc.integer({ min: 0, max: 50_000 }),
    visit: anyVisit,
  })
  .map(({ span, state, doorId, leadMinutes, ...rest }): CountedAppointment => {
    return {
      ...rest,
      ...span,
      ...state,
      doorId,
      doorName: `Door ${doorId}`,
      createdAt: span.from - leadMinutes * MINUTE,
    }
  })
const anyOpenTime = fc.record({ door: fc.constantFrom('1', '2'), span: anySpan })

/** To create one takes a hundred times as long as to use it. */
const clocks = new Map(
  ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', hourCycle: 'h23' })]),
)

/** The hour that a clock shows, by Node's own time zone data. */
const clockHour = (timeZone: string, at: number) => Number(clocks.get(timeZone)!.format(at))

/** Minutes by hour, counted one by one. */
function countMinutes(timeZone: string, spans: readonly Span[]): Map<number, number> {
  const minutes = new Map<number, number>()
  for (const { from, to } of spans)
    for (let at = from; at < to; at += MINUTE) {
      const hour = clockHour(timeZone, at)
      minutes.set(hour, (minutes.get(hour) ?? 0) + 1)
    }
  return minutes
}

const nearestRank = (values: number[], percent: number) => {
  const sorted = values.sort((a, b) => a - b)
  return sorted.find((_, i) => (i + 1) * 100 >= percent * sorted.length) ?? null
}

const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map((id) => ({ id, name: `Door ${id}` }))
const TOGETHER = [[FIRST!], [SECOND!, THIRD!]]

/** The doors with the hours of this one. */
function listTogether(door: string): readonly { id: string; name: string }[] {
  return TOGETHER.find(([first]) => first!.id === door)!
}

it('figures of a report are those of counting every minute and every appointment', () => {
  const given = fc.tuple(
    fc.constantFrom(...ZONES),
    fc.array(anyAppointment, { maxLength: 12 }),
    fc.array(anyOpenTime, { maxLength: 5 }),
  )
  fc.assert(
    fc.property(given, ([timeZone, appointments, open]) => {
      const sums = new DockFigureSums(timeZone, [])
      for (const { door, span } of open)
        sums.addOpenTime({
          doors: listTogether(door),
          day: getLocalDay(timeZone, span.from),
          spans: [span],
        })
      for (const one of appointments) sums.addAppointment(one, getLocalDay(timeZone, one.from))
      const { totals, doors, carriers, days, leadHours, arrivals, ...times } = sums.figures

      const released = ['no_show', 'turned_away']
      const counted = appointments.filter(
        ({ status, step }) => status !== 'cancelled' || (step !== null && released.includes(step)),
      )
      const present = appointments.filter(({ status }) => status !== 'cancelled')
      const minutesOf = (spans: readonly Span[]) => spans.reduce((sum, { from, to }) => sum + (to - from) / MINUTE, 0)
      expect(totals).toMatchObject({
        appointments: counted.length,
        cancelled: appointments.length - counted.length,
        completed: appointments.filter(({ status }) => status === 'completed').length,
        turnedAway: appointments.filter(({ step }) => step === 'turned_away').length,
        pallets: present.reduce((sum, { palletCount }) => sum + (palletCount ?? 0), 0),
        noShows: appointments.filter(({ step }) => step === 'no_show').length,
        bookedMinutes: minutesOf(present),
        openMinutes: minutesOf(open.flatMap(({ door, span }) => listTogether(door).map(() => span))),
      })
      expect(days.reduce((sum, { bookedMinutes }) => sum + bookedMinutes, 0)).toBe(totals.bookedMinutes)
      for (const { id, hours } of doors) {
        const booked = countMinutes(
          timeZone,
          present.filter(({ doorId }) => doorId === id),
        )
        const openAt = countMinutes(
          timeZone,
          open.filter(({ door }) => listTogether(door).some((one) => one.id === id)).map(({ span }) => span),
        )
        for (const { hour, bookedMinutes, openMinutes, utilization } of hours) {
          expect([hour, bookedMinutes, openMinutes]).toEqual([hour, booked.get(hour) ?? 0, openAt.get(hour) ?? 0])
          expect(utilization).toBe(openMinutes === 0 ? null : bookedMinutes / openMinutes)
        }
        expect(new Set([...booked.keys(), ...openAt.keys()])).toEqual(new Set(hours.map(({ hour }) => hour)))
      }
      for (const { name, ...carrier } of carriers)
        expect(carrier.appointments).toBe(counted.filter(({ carrierName }) => carrierName === name).length)
      for (const [{ detained, detentionMinutes }, of] of [
        [times.detention, counted] as const,
        ...carriers.map((carrier) => [carrier, counted.filter((one) => one.carrierName === carrier.name)] as const),
      ]) {
        const minutes = of.flatMap(({ visit }) => visit.detentionMinutes || [])
        expect([detained, detentionMinutes]).toEqual([minutes.length, minutes.reduce((a, b) => a + b, 0)])
      }
      for (const [field, spread] of [
        ...(['waitMinutes', 'turnMinutes', 'dwellMinutes'] as const).map((name) => [name, times[name]] as const),
        ['minutesAfterStart', arrivals.minutesAfterStart] as const,
      ]) {
        const values = counted.flatMap(({ visit }) => visit[field] ?? [])
        expect([field, spread]).toEqual([
          field,
          {
            count: values.length,
            median: nearestRank([...values], 50),
            p90: nearestRank([...values], 90),
            max: nearestRank([...values], 100),
          },
        ])
      }
      for (const { name, dwellMinutes: dwell } of carriers)
        expect(dwell.count).toBe(
          counted.filter(({ carrierName, visit }) => carrierName === name && visit.dwellMinutes !== null).length,
        )
      expect(leadHours.count).toBe(counted.length)
      const known = counted.filter(({ visit }) => visit.arrival !== null)
      const late = known.filter(({ visit }) => visit.arrival === 'late').length
      expect(arrivals.onTimeShare).toBe(known.length === 0 ? null : (known.length - late) / known.length)
    }),
    { numRuns: 60 },
  )
})
