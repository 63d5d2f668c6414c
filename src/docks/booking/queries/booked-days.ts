import { DAY_MS } from '../../../kernel/time'
import { derivedValues, type ReadTx, type WriteTx } from '../../../storage'
import { MAX_APPOINTMENT_MS } from '../../facilities/rules/facility'
import { docksTables } from '../../queries/docks-tables'
import type { BusySpan, Span } from '../rules/spans'
import { countedColumns } from './slot-holds'

/** All days are forgotten when there are so many, or when they have so many appointments: about 20 MB. */
const MAX_DAYS = 10_000
const MAX_BOOKED = 100_000

/** The busy spans of appointments that start on a UTC day, by start. */
type Day = BusySpan[]

interface BookedDays {
  days: Map<string, Day>
  /** The number of spans of all days. */
  size: number
  /** The number of appointments that were added. */
  added: number
}

interface BookedFacility {
  facilityId: string
  /** Whether the spans have what limits count. */
  isCounted: boolean
}

/**
 * The busy spans of appointments that overlap `span`, by start. Each UTC day is read once, until a transaction changes appointments in another
 * way than `addBooked` follows. Null on a server.
 */
export async function listBookedByDay(
  tx: ReadTx,
  facility: BookedFacility,
  span: Span,
): Promise<readonly BusySpan[] | null> {
  const known = getBookedDays(tx)
  if (known === null) return null
  const found: BusySpan[] = []
  for (let day = getUtcDay(span.from - MAX_APPOINTMENT_MS); day <= getUtcDay(span.to - 1); day++) {
    for (const busy of known.days.get(keyOf(facility, day)) ?? (await readDay(tx, facility, day)))
      if (busy.from < span.to && busy.to > span.from) found.push(busy)
  }
  return found
}

/** Adds an appointment that the transaction has just inserted. */
export function addBooked(tx: WriteTx, facilityId: string, booked: BusySpan): void {
  const known = getBookedDays(tx)
  if (known === null) return
  known.added++
  for (const isCounted of [false, true]) {
    const day = known.days.get(keyOf({ facilityId, isCounted }, getUtcDay(booked.from)))
    if (day === undefined) continue
    let at = day.length
    while (at > 0 && day[at - 1]!.from > booked.from) at--
    day.splice(at, 0, booked)
    known.size++
  }
}

async function readDay(tx: ReadTx, facility: BookedFacility, day: number): Promise<Day> {
  const known = getBookedDays(tx)!
  const { added } = known
  const spans = await bookedDayQuery(tx, facility, day).execute()
  if (getBookedDays(tx) !== known || known.added !== added) return spans // changed meanwhile
  if (known.days.size >= MAX_DAYS || known.size + spans.length > MAX_BOOKED) {
    known.days.clear()
    known.size = 0
  }
  known.days.set(keyOf(facility, day), spans)
  known.size += spans.length
  return spans
}

export function bookedDayQuery(tx: ReadTx, { facilityId, isCounted }: BookedFacility, day: number) {
  return docksTables(tx)
    .selectFrom('appointment')
    .select(['door_id as doorId', 'start_at as from', 'end_at as to'])
    .where('facility_id', '=', facilityId)
    .where('start_at', '>=', day * DAY_MS)
    .where('start_at', '<', (day + 1) * DAY_MS)
    .where('status', '<>', 'cancelled')
    .$if(isCounted, (query) => query.select(countedColumns))
    .orderBy('start_at')
}

function getBookedDays(tx: ReadTx): BookedDays | null {
  const values = derivedValues<BookedDays>(tx, 'appointment')
  if (values === null) return null
  const known = values.get('days') ?? { days: new Map(), size: 0, added: 0 }
  values.set('days', known)
  return known
}

const keyOf = ({ facilityId, isCounted }: BookedFacility, day: number) => `${facilityId} ${isCounted} ${day}`
const getUtcDay = (instant: number) => Math.floor(instant / DAY_MS)
