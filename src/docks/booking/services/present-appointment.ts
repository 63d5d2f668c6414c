import { formatInstant, MINUTE_MS } from '../../../kernel/time'
import type { AppointmentRecord, NewAppointment, SlotHoldRecord } from '../../queries'
import { formatLocalDateTime } from '../../rules/zoned-time'
import { presentLoad } from '../rules/load'
import { readReferences } from '../rules/references'
import type { Appointment, ListedAppointment, SlotHold } from '../schemas'

/** Converts a record to the output form. The output schema of each operation selects its fields. */
export function presentAppointment(record: NewAppointment): Appointment {
  return {
    id: record.id,
    facilityId: record.facilityId,
    facilityName: record.facilityName,
    facilityCode: record.facilityCode,
    doorId: record.doorId,
    doorName: record.doorName,
    type: record.type,
    startTime: formatInstant(record.startAt),
    endTime: formatInstant(record.endAt),
    carrierName: record.carrierName,
    referenceNumber: record.referenceNumber,
    references: readReferences(record),
    status: record.status,
    durationMinutes: (record.endAt - record.startAt) / MINUTE_MS,
    ...presentLoad(record),
    trailerId: record.equipmentId,
    step: record.step,
  }
}

/** The same with the fields that calendars and local times need. */
export function presentListedAppointment(record: AppointmentRecord, timeZone: string): ListedAppointment {
  return {
    ...presentAppointment(record),
    timeZone,
    pinned: record.pinned === 1,
    sequence: record.sequence,
    updatedAt: formatInstant(record.updatedAt),
  }
}

export function presentHold(record: SlotHoldRecord, timeZone: string): SlotHold {
  const { startAt, endAt, expiresAt, ...fields } = record
  return {
    ...fields,
    ...presentLoad(record),
    timeZone,
    startTime: formatInstant(startAt),
    endTime: formatInstant(endAt),
    durationMinutes: (endAt - startAt) / MINUTE_MS,
    expiresAt: formatInstant(expiresAt),
  }
}

/** `2027-03-01 06:00 (America/Chicago) at Door 1` */
export function describeSlot(record: { startAt: number; doorName: string }, timeZone: string): string {
  return `${formatLocalDateTime(timeZone, record.startAt)} (${timeZone}) at ${record.doorName}`
}
