import type { ResultOf } from '../../../catalog'
import { formatReference } from '../../../docks'
import { localDate, localTime } from '../../facility-dates'

type Appointment = ResultOf<'appointments.get'>

/** An appointment as the inputs of its form show it. */
export function appointmentValues(appointment: Appointment): object {
  return { ...appointment, references: appointment.references.map(formatReference) }
}

/** Where and when it is, as the inputs of a place show it. */
export function placeValues({ startTime, timeZone, doorId }: Appointment) {
  return { targetDate: localDate(startTime, timeZone), startTime: localTime(startTime, timeZone), doorId }
}
