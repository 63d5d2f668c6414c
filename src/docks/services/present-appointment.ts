import { MINUTE_MS } from '../../kernel/time'
import type { AppointmentRecord, NewAppointment } from '../queries'
import { formatLocalDateTime } from '../rules/zoned-time'
import type { Appointment, ListedAppointment } from '../schemas'

/** An appointment as it is shown; each operation's output takes the fields of its own answer. */
export function presentAppointment(record: NewAppointment): Appointment {
  return {
    id: record.id,
    facilityId: record.facilityId,
    facilityName: record.facilityName,
    facilityCode: record.facilityCode,
    doorId: record.doorId,
    doorName: record.doorName,
    type: record.type,
    startTime: new Date(record.startAt).toISOString(),
    endTime: new Date(record.endAt).toISOString(),
    carrierName: record.carrierName,
    referenceNumber: record.referenceNumber,
    status: record.status,
    palletCount: record.palletCount,
    durationMinutes: (record.endAt - record.startAt) / MINUTE_MS,
    weight: record.weight,
    loadDescription: record.loadDescription,
    equipmentId: record.equipmentId,
    trailerId: record.equipmentId,
  }
}

/** The same with what a calendar and a clock on the wall need. */
export function presentListedAppointment(record: AppointmentRecord, timeZone: string): ListedAppointment {
  return {
    ...presentAppointment(record),
    timeZone,
    sequence: record.sequence,
    updatedAt: new Date(record.updatedAt).toISOString(),
  }
}

/** When and where it is, in the facility's own time: `2027-03-01 06:00 (America/Chicago) at Door 1`. */
export function describeSlot(record: NewAppointment, timeZone: string): string {
  return `${formatLocalDateTime(timeZone, record.startAt)} (${timeZone}) at ${record.doorName}`
}
