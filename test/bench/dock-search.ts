import { toLoad } from '../../src/docks/booking/rules/load'
import { type SlotRequest, searchSlot } from '../../src/docks/booking/rules/slot-search'
import { type BusySpan, getFacilityCapacity } from '../../src/docks/booking/rules/spans'
import type { Door, FacilityRules } from '../../src/docks/facilities/rules/facility'
import { MINUTE_MS, parseDate } from '../../src/kernel/time'
import { median, printFigure } from './figures'

const FIRST_DATE = '2040-01-02'
const HOUR = 60 * MINUTE_MS
const LENGTH_MINUTES = 60

/** Measures only the search, over dates that are fully booked. */
export function slotSearches(): void {
  const large = fullDays(100, 30)
  const small = fullDays(1, 1)
  const [inLarge, inSmall] = [found(large), found(small)]
  const perLarge = () => time(1, inLarge)
  const perSmall = () => time(300, inSmall)
  const perStepping = () => time(1, () => stepped(large))
  for (const warm of [perLarge, perSmall, perStepping]) for (let i = 0; i < 3; i++) warm()
  printFigure({
    name: 'slot search over 100 doors and 30 full days ÷ over 1 door and 1 day',
    value: median(Array.from({ length: 15 }, () => perLarge() / perSmall())),
    atMost: 300,
  })
  printFigure({
    name: 'stepping through aligned starts ÷ that search',
    value: median(Array.from({ length: 7 }, () => perStepping() / perLarge())),
    atLeast: 20,
  })
}

interface Filled {
  request: SlotRequest
  busy: BusySpan[]
}

/** Open from 06:00 to 18:00. Doors alternate between twelve appointments of an hour and sixteen of 45 minutes. */
function fullDays(doorCount: number, dayCount: number): Filled {
  const facility: FacilityRules = {
    timeZone: 'America/Chicago',
    queues: [
      {
        name: 'Day',
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        start: '06:00',
        end: '18:00',
        doors: null,
        types: null,
      },
    ],
    breaks: [],
    closures: [],
    blockedTimes: [],
    bufferMinutes: 0,
    limits: [],
    lengths: [],
    minMinutes: 15,
    maxMinutes: 240,
    defaultMinutes: 60,
    slotMinutes: 15,
    leadMinutes: 0,
    capacity: null,
    advanceToNextOpenDay: true,
  }
  const doors: Door[] = Array.from({ length: doorCount }, (_, index) => ({
    id: `door-${index}`,
    name: `Door ${index}`,
    position: index,
    types: ['pickup', 'delivery'],
    active: true,
    features: [],
    maxHeight: null,
  }))
  const firstDay = parseDate(FIRST_DATE)
  const opens = Date.parse(`${FIRST_DATE}T12:00:00Z`)
  const busy: BusySpan[] = []
  for (let day = 0; day < dayCount; day++) {
    for (const [index, { id }] of doors.entries()) {
      const length = index % 2 === 0 ? HOUR : 0.75 * HOUR
      const from = opens + day * 24 * HOUR
      for (let at = from; at < from + 12 * HOUR; at += length) busy.push({ doorId: id, from: at, to: at + length })
    }
  }
  busy.sort((a, b) => a.from - b.from)
  const request: SlotRequest = {
    facility,
    capacity: getFacilityCapacity(facility, doors),
    doors,
    load: toLoad({ type: 'delivery' }),
    minutes: LENGTH_MINUTES,
    firstDay,
    lastDay: firstDay + dayCount - 1,
    notBefore: 0,
  }
  return { request, busy }
}

/** Groups the busy times by day, as an index does. */
function found({ request, busy }: Filled): () => void {
  const byDay = new Map<number, BusySpan[]>()
  for (const span of busy) byDay.set(dayOf(span.from), [...(byDay.get(dayOf(span.from)) ?? []), span])
  return () => {
    const search = searchSlot(request)
    let step = search.next()
    while (!step.done) step = search.next(step.value === null ? [] : (byDay.get(dayOf(step.value.from)) ?? []))
    if (step.value.slot) throw new Error('the dates were to be full')
  }
}

const dayOf = (instant: number) => Math.floor(instant / (24 * HOUR))

/** The common algorithm: compares every aligned start of every door with the appointments of the door on that day. */
function stepped({ request, busy }: Filled): void {
  const byDoor = new Map<string, BusySpan[]>()
  for (const span of busy) byDoor.set(span.doorId, [...(byDoor.get(span.doorId) ?? []), span])
  const opens = Date.parse(`${FIRST_DATE}T12:00:00Z`)
  for (let day = 0; day <= request.lastDay - request.firstDay; day++) {
    const from = opens + day * 24 * HOUR
    for (const door of request.doors) {
      const taken = byDoor.get(door.id)!.filter((span) => span.from < from + 12 * HOUR && span.to > from)
      for (let at = from; at + HOUR <= from + 12 * HOUR; at += 15 * MINUTE_MS) {
        if (!taken.some((span) => span.from < at + HOUR && at < span.to)) throw new Error('the dates were to be full')
      }
    }
  }
}

function time(times: number, work: () => void): number {
  const startedAt = performance.now()
  for (let i = 0; i < times; i++) work()
  return (performance.now() - startedAt) / times
}
