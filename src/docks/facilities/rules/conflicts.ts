import { MINUTE_MS } from '../../../kernel/time'
import { groupBy } from '../../../kernel/work/group-by'
import { findExceeding } from '../../booking/rules/limits'
import { isSuitable, type Load } from '../../booking/rules/load'
import { containsSpan, findSaturatedSpans, isOverlapping, type Span } from '../../booking/rules/spans'
import { getLocalDay, listDayParts } from '../../rules/zoned-time'
import { type AppointmentType, type Door, type FacilityRules, MAX_APPOINTMENT_MS } from './facility'
import { type DoorGroup, getOpeningHours, groupDoorsByHours, isClosedOn, type OpeningHours } from './opening-hours'

/** The time and the door of an appointment that has not ended. */
export interface BookedSpan extends Span, Load {
  doorId: string
}

export function toBookedSpan<Booked extends { startAt: number; endAt: number }>(booked: Booked): Booked & Span {
  return { ...booked, from: booked.startAt, to: booked.endAt }
}

export const conflictReasons = [
  'door_removed',
  'door_inactive',
  'door_type',
  'requirements',
  'closure',
  'blocked',
  'outside_hours',
  'break',
  'capacity',
  'buffer',
  'limit',
] as const

/** Why an appointment could not be booked at its time and door now. */
export type ConflictReason = (typeof conflictReasons)[number]

export interface Conflict<Appointment extends BookedSpan> {
  appointment: Appointment
  reason: ConflictReason
}

/**
 * The appointments that no longer fit the facility because it was changed after they were booked. Length and alignment are not checked:
 * they apply to new appointments only. If more appointments than the capacity are concurrent, all of them are in conflict, because
 * any of them could be moved.
 */
export function findConflicts<Appointment extends BookedSpan>(
  facility: FacilityRules,
  doors: readonly Door[],
  appointments: readonly Appointment[],
): Conflict<Appointment>[] {
  const rules = new DoorRules(facility, doors)
  const { capacity } = facility
  // Without a capacity the doors are the limit. Appointments beyond it are at a removed door, which is the reported reason.
  const crowded = capacity === null ? [] : findSaturatedSpans(appointments, capacity + 1)
  const tooClose = findTooClose(appointments, facility.bufferMinutes * MINUTE_MS)
  const exceeding = findExceeding(facility, appointments)
  return appointments.flatMap((appointment) => {
    const isCrowded = () => crowded.some((span) => isOverlapping(span, appointment))
    const reason =
      rules.findReason(appointment) ??
      (isCrowded() ? 'capacity' : tooClose.has(appointment) ? 'buffer' : exceeding.has(appointment) ? 'limit' : null)
    return reason === null ? [] : [{ appointment, reason }]
  })
}

/** The appointments at one door with less than the buffer between them. */
function findTooClose<Booked extends BookedSpan>(booked: readonly Booked[], bufferMs: number): Set<Booked> {
  const tooClose = new Set<Booked>()
  if (bufferMs === 0) return tooClose
  const last = new Map<string, Booked>()
  for (const one of [...booked].sort((a, b) => a.from - b.from)) {
    const before = last.get(one.doorId)
    if (before && one.from < before.to + bufferMs) tooClose.add(before).add(one)
    last.set(one.doorId, one)
  }
  return tooClose
}

/** Whether doors accept an appointment, without regard to other appointments. The hours are computed once per group of doors and date. */
export class DoorRules {
  readonly #facility: FacilityRules
  readonly #doors: Map<string, Door>
  readonly #groups: Record<AppointmentType, Map<string, DoorGroup>>
  readonly #known = new Map<DoorGroup, Map<number, OpeningHours>>()

  constructor(facility: FacilityRules, doors: readonly Door[]) {
    this.#facility = facility
    this.#doors = new Map(doors.map((door) => [door.id, door]))
    const groupsFor = (type: AppointmentType) =>
      new Map(
        groupDoorsByHours(facility, doors, type).flatMap((group) =>
          group.doors.map((door) => [door.id, group] as const),
        ),
      )
    this.#groups = { pickup: groupsFor('pickup'), delivery: groupsFor('delivery') }
  }

  findReason(appointment: BookedSpan): ConflictReason | null {
    const door = this.#doors.get(appointment.doorId)
    if (!door) return 'door_removed'
    const { type } = appointment
    return findLoadReason(door, appointment) ?? this.#findHoursReason(this.#groups[type].get(door.id)!, appointment)
  }

  /** The doors that can take the load, those together that are open at the same times. */
  groupDoorsFor(load: Load): { doors: Door[]; isOpen(span: Span): boolean }[] {
    const suitable = [...this.#doors.values()].filter((door) => findLoadReason(door, load) === null)
    const groups = groupBy(suitable, ({ id }) => this.#groups[load.type].get(id)!)
    return [...groups].map(([group, doors]) => ({
      doors,
      isOpen: (span) => this.#findHoursReason(group, span) === null,
    }))
  }

  #findHoursReason(group: DoorGroup, appointment: Span): ConflictReason | null {
    const day = getLocalDay(this.#facility.timeZone, appointment.from)
    const { windows, scheduled, open } = this.#hoursOn(group, day)
    if (open.some((span) => containsSpan(span, appointment))) return null
    if (this.#isClosedIn(appointment, day)) return 'closure'
    if (scheduled.some((span) => containsSpan(span, appointment))) return 'blocked'
    return windows.some((span) => containsSpan(span, appointment)) ? 'break' : 'outside_hours'
  }

  #isClosedIn(span: Span, firstDay: number): boolean {
    const { timeZone } = this.#facility
    for (let day = firstDay; day <= getLocalDay(timeZone, span.to - 1); day++) {
      const isClosed = isClosedOn(this.#facility, day)
      if (isClosed && listDayParts(timeZone, day).some((part) => isOverlapping(part, span))) return true
    }
    return false
  }

  #hoursOn(group: DoorGroup, day: number): OpeningHours {
    const byDay = this.#known.get(group) ?? new Map<number, OpeningHours>()
    this.#known.set(group, byDay)
    const hours = byDay.get(day) ?? getOpeningHours(this.#facility, group, day, MAX_APPOINTMENT_MS)
    byDay.set(day, hours)
    return hours
  }
}

/** Why a door does not take a load, whenever it comes; null if it does. */
function findLoadReason(door: Door, load: Load): ConflictReason | null {
  if (!door.active) return 'door_inactive'
  if (!door.types.includes(load.type)) return 'door_type'
  return isSuitable(door, load) ? null : 'requirements'
}
