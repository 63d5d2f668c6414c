import type { Context } from '../../../kernel'
import { MINUTE_MS } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { findDoors, listBusySpans } from '../../queries'
import { requireAppointment, requireFacility } from '../../services/tenant-access'
import { isTruckAtDoor } from '../../visits/rules/appointment-steps'
import { canTruckBeOn } from '../../visits/rules/truck-presence'
import { searchDay } from '../rules/slot-search'
import { getFacilityCapacity, type Span } from '../rules/spans'
import { replaceAppointment } from './booking'
import { planStarts } from './booking-plan'
import { runSearch } from './find-place'

/** The starts at which a reschedule would succeed now, by the ID of the door. Epoch milliseconds. */
export interface FreeMoves {
  slotMinutes: number
  doors: Map<string, number[]>
}

/** The same search as that of a reschedule, without its change. Nothing is free for an appointment that cannot be moved. Throws `not_found`. */
export function findFreeMoves(
  ctx: Context & StorageContext,
  { id, date }: { id: string; date: string },
): Promise<FreeMoves> {
  return ctx.db.read(async (tx) => {
    const now = ctx.clock.now()
    const { appointment } = await requireAppointment(ctx, tx, id)
    const facility = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
    const found: FreeMoves = { slotMinutes: facility.slotMinutes, doors: new Map() }
    if (appointment.status !== 'scheduled' || isTruckAtDoor(appointment)) return found
    const plan = planStarts(facility, { targetDate: date }, now)
    if (!canTruckBeOn(appointment, { day: plan.firstDay, timeZone: facility.timeZone, now })) return found
    const doors = await findDoors(tx, facility.id)
    const request = {
      ...plan,
      facility,
      capacity: getFacilityCapacity(facility, doors),
      doors,
      load: appointment,
      minutes: (appointment.endAt - appointment.startAt) / MINUTE_MS,
      replaces: replaceAppointment(appointment),
    }
    const busy = (span: Span) => listBusySpans(tx, facility, span, { now, except: [id] })
    const { starts } = await runSearch(searchDay(request), busy)
    for (const [start, free] of starts)
      for (const door of free) found.doors.set(door.id, [...(found.doors.get(door.id) ?? []), start])
    return found
  })
}
