import type { AppointmentRecord } from './queries'
import { MINUTE_MS } from './rules/calendar-date'
import { showOnClock } from './rules/local-time'
import type { Appointment } from './schemas'

/** An appointment as it is shown; each operation's output takes the fields of its own answer. */
export function presentAppointment(record: AppointmentRecord): Appointment {
  const { startAt, endAt, ...fields } = record
  return {
    ...fields,
    startTime: new Date(startAt).toISOString(),
    endTime: new Date(endAt).toISOString(),
    durationMinutes: (endAt - startAt) / MINUTE_MS,
    trailerId: record.equipmentId,
  }
}

/** When and where it is, in the facility's own time: `2027-03-01 06:00 (America/Chicago) at Door 1`. */
export function placeAndTime(record: AppointmentRecord, timeZone: string): string {
  return `${showOnClock(timeZone, record.startAt)} (${timeZone}) at ${record.doorName}`
}
