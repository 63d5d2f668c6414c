import { type DayNumber, MINUTE_MS } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import { DoorRules, toBookedSpan } from '../../facilities/rules/conflicts'
import { type Door, type Facility, MAX_APPOINTMENT_MS } from '../../facilities/rules/facility'
import { getDaySpan } from '../../facilities/rules/opening-hours'
import { type AppointmentRecord, listAppointmentsWithin, listHeldSpans } from '../../queries'
import type { Occupant } from '../rules/door-board'
import { isFreeToMove } from '../rules/free-to-move'
import { type BusySpan, containsSpan, type Span, widenSpan } from '../rules/spans'

/** Who is at the doors on a date, and who of them may move. */
export interface RoomDay {
  /** The doors by position, by which the numbers of the search are meant. */
  doors: readonly Door[]
  /** The appointments by their number in the search. The holds are behind them. */
  appointments: readonly AppointmentRecord[]
  occupants: readonly Occupant[]
  /** Whether all who may move are known with those around them. Otherwise it is not certain that there is no room. */
  isWhole: boolean
  /** The busy spans as if all who may move had left their doors: they still count for the capacity and for limits. */
  busy: readonly BusySpan[]
}

/** In place of the door of those who may move. */
const NO_DOOR = ''

/** Null if the clock skips the date. */
export async function loadRoomDay(
  tx: ReadTx,
  { facility, doors }: { facility: Facility; doors: readonly Door[] },
  { day, now }: { day: DayNumber; now: number },
): Promise<RoomDay | null> {
  const date = getDaySpan(facility.timeZone, day)
  if (date === null) return null
  const bufferMs = facility.bufferMinutes * MINUTE_MS
  const reachMs = facility.maxMinutes * MINUTE_MS + bufferMs
  // What starts on the date may overlap others that begin before it or end after it, and so may what those displace.
  const known = { from: date.from - 2 * reachMs, to: date.to + 2 * reachMs }
  const appointments = await listAppointmentsWithin(tx, facility.id, known)
  const held = await listHeldSpans(tx, {
    ...{ facilityId: facility.id, after: known.from - MAX_APPOINTMENT_MS, now },
    ...{ ...known, isCounted: facility.limits.length > 0 },
  })
  const sorted = [...doors].sort((a, b) => a.position - b.position)
  const numbers = new Map(sorted.map(({ id }, number) => [id, number]))
  const rules = new DoorRules(facility, doors)
  const listDoorsOf = (appointment: AppointmentRecord) => {
    const booked = toBookedSpan(appointment)
    return [...numbers].flatMap(([doorId, number]) =>
      rules.findReason({ ...booked, doorId }) === null ? [number] : [],
    )
  }
  const busy = appointments.map((appointment) => {
    const booked = toBookedSpan(appointment)
    // An appointment that reaches beyond what was read may be near others there.
    const isKnown = containsSpan(known, widenSpan<Span>({ from: booked.from, to: booked.to }, bufferMs))
    const mayMove = isMovable(appointment, facility, now)
    return { ...booked, isMovable: isKnown && mayMove, isAtEdge: !isKnown && mayMove }
  })
  return {
    doors: sorted,
    appointments,
    occupants: [...busy, ...held].map((one, index) => ({
      from: one.from,
      to: one.to,
      door: numbers.get(one.doorId) ?? -1,
      listDoors: 'isMovable' in one && one.isMovable ? remember(() => listDoorsOf(appointments[index]!)) : null,
    })),
    isWhole: !busy.some(({ isAtEdge }) => isAtEdge),
    busy: [
      ...busy.map(({ isMovable, isAtEdge: _, ...one }) => (isMovable ? { ...one, doorId: NO_DOOR } : one)),
      ...held,
    ],
  }
}

/** Only if its truck is expected later. */
function isMovable(appointment: AppointmentRecord, facility: Facility, now: number): boolean {
  const { status, step, startAt } = appointment
  return status === 'scheduled' && step === null && startAt > now && isFreeToMove(appointment, facility)
}

function remember<Value>(compute: () => Value): () => Value {
  let known: Value | undefined
  return () => {
    known ??= compute()
    return known
  }
}
