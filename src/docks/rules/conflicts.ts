import { MINUTE_MS } from '../../kernel/time'
import { type AppointmentType, type Door, type FacilityRules, MAX_APPOINTMENT_MINUTES } from './facility'
import { findSaturatedSpans } from './occupancy'
import { type DoorGroup, getOpeningHours, groupDoorsByHours, isClosedOn, type OpeningHours } from './opening-hours'
import { containsSpan, isOverlapping, type Span } from './spans'
import { dayAt, listDayParts } from './zoned-time'

/** An appointment that is not over yet, where it stands. */
export interface BookedSpan extends Span {
  doorId: string
  type: AppointmentType
}

export const conflictReasons = [
  'door_removed',
  'door_inactive',
  'door_type',
  'closure',
  'outside_hours',
  'break',
  'capacity',
] as const

/** Why an appointment would not be booked today where it stands. */
export type ConflictReason = (typeof conflictReasons)[number]

export interface Conflict<Appointment extends BookedSpan> {
  appointment: Appointment
  reason: ConflictReason
}

/**
 * The appointments that do not fit the facility as it is described: it was changed after they were booked. Length and
 * alignment of starts are asked of new ones alone. Of more than the capacity at one time all are named: any could give way.
 */
export function findConflicts<Appointment extends BookedSpan>(
  facility: FacilityRules,
  doors: readonly Door[],
  standing: readonly Appointment[],
): Conflict<Appointment>[] {
  const hours = new HoursByDoor(facility, doors)
  const { capacity } = facility
  // Where no capacity is named it is the doors: what is too much for them stands at one that left, and is named for that.
  const crowded = capacity === null ? [] : findSaturatedSpans(standing, capacity + 1)
  return standing.flatMap((appointment) => {
    const reason = findReason(appointment, { doors, hours, crowded })
    return reason === null ? [] : [{ appointment, reason }]
  })
}

function findReason(
  appointment: BookedSpan,
  { doors, hours, crowded }: { doors: readonly Door[]; hours: HoursByDoor; crowded: readonly Span[] },
): ConflictReason | null {
  const door = doors.find(({ id }) => id === appointment.doorId)
  if (!door) return 'door_removed'
  if (!door.active) return 'door_inactive'
  if (!door.types.includes(appointment.type)) return 'door_type'
  const ofHours = hours.reasonFor(appointment)
  if (ofHours !== null) return ofHours
  return crowded.some((span) => isOverlapping(span, appointment)) ? 'capacity' : null
}

/** The opening hours of each door, worked out once a group of doors and date. */
class HoursByDoor {
  readonly #facility: FacilityRules
  readonly #groups: Record<AppointmentType, Map<string, DoorGroup>>
  readonly #known = new Map<DoorGroup, Map<number, OpeningHours>>()

  constructor(facility: FacilityRules, doors: readonly Door[]) {
    this.#facility = facility
    const groupsFor = (type: AppointmentType) =>
      new Map(
        groupDoorsByHours(facility, doors, type).flatMap((group) =>
          group.doors.map((door) => [door.id, group] as const),
        ),
      )
    this.#groups = { pickup: groupsFor('pickup'), delivery: groupsFor('delivery') }
  }

  reasonFor(appointment: BookedSpan): ConflictReason | null {
    const day = dayAt(this.#facility.timeZone, appointment.from)
    const { windows, open } = this.#hoursOn(this.#groups[appointment.type].get(appointment.doorId)!, day)
    if (open.some((span) => containsSpan(span, appointment))) return null
    if (this.#isClosedIn(appointment, day)) return 'closure'
    return windows.some((span) => containsSpan(span, appointment)) ? 'break' : 'outside_hours'
  }

  #isClosedIn(span: Span, firstDay: number): boolean {
    const { timeZone } = this.#facility
    for (let day = firstDay; day <= dayAt(timeZone, span.to - 1); day++) {
      const isClosed = isClosedOn(this.#facility, day)
      if (isClosed && listDayParts(timeZone, day).some((part) => isOverlapping(part, span))) return true
    }
    return false
  }

  #hoursOn(group: DoorGroup, day: number): OpeningHours {
    const byDay = this.#known.get(group) ?? new Map<number, OpeningHours>()
    this.#known.set(group, byDay)
    const hours = byDay.get(day) ?? getOpeningHours(this.#facility, group, day, LONGEST_MS)
    byDay.set(day, hours)
    return hours
  }
}

const LONGEST_MS = MAX_APPOINTMENT_MINUTES * MINUTE_MS
