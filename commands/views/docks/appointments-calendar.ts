import type { ResultOf } from '../../../src/catalog'
import { formatAppointmentsCalendar } from '../../../src/docks/events/rules/calendar-file'
import type { ViewOptions } from '../../operation/command-parts'
import type { Canvas } from '../../terminal/layout'

export function renderAppointmentsCalendar(
  list: ResultOf<'appointments.list'>,
  _: Canvas,
  { organizer = null }: ViewOptions,
): string {
  return formatAppointmentsCalendar(list, organizer)
}
