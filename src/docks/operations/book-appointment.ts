import { type Context, operation } from '../../kernel'
import type { StorageContext, WriteTx } from '../../storage'
import { Booking } from '../booking-schema'
import { facilityFieldFlags, facilityFlag, withFacility } from '../facility-flag'
import { findSlot } from '../find-slot'
import { placeAndTime, presentAppointment } from '../present'
import { type AppointmentRecord, doorsOf, findScheduledReference, insertAppointment } from '../queries'
import { appointmentMinutes } from '../rules/appointment-length'
import { earliestStart, lastRolloverDay, targetDay } from '../rules/booking-dates'
import type { Facility } from '../rules/facility'
import { dateRefused, duplicateReference, noSlot } from '../rules/refusals'
import type { Slot } from '../rules/slot-search'
import { BookedAppointment, Success } from '../schemas'
import { requireFacility } from '../tenant-scope'

export const bookAppointment = operation({
  id: 'appointments.book',
  summary: 'Book the earliest free dock slot',
  description:
    'Books the earliest conflict-free slot on or after the target date. When that date is closed or full the booking moves on day by day, up to 30 days, unless the facility does not allow it.',
  effect: 'write',
  access: 'tenant',
  input: Booking,
  output: Success.extend({ data: BookedAppointment }),
  errors: ['not_found', 'date_in_past', 'duplicate_reference', 'facility_closed', 'fully_booked', 'no_slot'],
  http: { method: 'post', path: '/api/appointments/auto-schedule' },
  cli: {
    command: 'book',
    extraFlags: [facilityFlag],
    flags: {
      ...facilityFieldFlags,
      carrierName: { name: 'carrier', value: 'name' },
      referenceNumber: { name: 'reference', value: 'ref' },
      targetDate: { name: 'date', value: 'YYYY-MM-DD' },
      palletCount: { name: 'pallets' },
      durationMinutes: { name: 'duration', value: 'minutes' },
      weight: { value: 'lbs' },
      loadDescription: { name: 'load' },
      equipmentId: { name: 'equipment', value: 'number' },
      trailerId: false,
    },
    toInput: withFacility,
    examples: [
      'studio book --facility DC1 --type delivery --carrier "Blue Freight" --reference PO-1001 --date 2027-03-01 --pallets 12',
      'studio book --facility DC1 --type pickup --carrier "Blue Freight" --reference BOL-77 --date 2027-03-01 --duration 45 --json',
    ],
    seeAlso: ['appointment list', 'reschedule', 'appointment cancel', 'facility list'],
  },
  run(ctx: Context & StorageContext, booking) {
    return ctx.db.write(async (tx) => {
      const now = ctx.clock.now()
      const facility = await requireFacility(ctx, tx, booking)
      const slot = await slotFor(tx, facility, booking, now)
      const appointment = appointmentIn(slot, facility, booking, ctx.ids.uuid())
      await insertAppointment(tx, appointment, { tenantId: facility.tenantId, createdAt: now })
      return {
        status: 'success' as const,
        message: `Booked for ${placeAndTime(appointment, facility.timeZone)}.`,
        data: presentAppointment(appointment),
      }
    })
  },
})

/** The refusals come in the order in which a caller is told of them: past date, length, duplicate, slot. */
async function slotFor(tx: WriteTx, facility: Facility, booking: Booking, now: number): Promise<Slot> {
  const firstDay = targetDay(facility, booking.targetDate, now)
  const lastDay = lastRolloverDay(facility, firstDay)
  const minutes = appointmentMinutes(facility, booking)
  const standing = await findScheduledReference(tx, facility.id, booking.referenceNumber)
  if (standing) throw duplicateReference(booking.referenceNumber, presentAppointment(standing))
  const doors = await doorsOf(tx, facility.id)
  const notBefore = earliestStart(facility, now)
  const request = { facility, doors, type: booking.type, minutes, firstDay, lastDay, notBefore }
  const answer = await findSlot(tx, facility.id, request)
  if (answer.slot) return answer.slot
  if (facility.advanceToNextOpenDay) throw noSlot(facility, answer.refusals)
  throw dateRefused(facility, answer.refusals)
}

function appointmentIn(slot: Slot, facility: Facility, booking: Booking, id: string): AppointmentRecord {
  return {
    id,
    facilityId: facility.id,
    facilityName: facility.name,
    facilityCode: facility.code,
    doorId: slot.door.id,
    doorName: slot.door.name,
    type: booking.type,
    status: 'scheduled',
    startAt: slot.from,
    endAt: slot.to,
    carrierName: booking.carrierName,
    referenceNumber: booking.referenceNumber,
    palletCount: booking.palletCount ?? null,
    weight: booking.weight ?? null,
    loadDescription: booking.loadDescription ?? null,
    equipmentId: booking.equipmentId ?? booking.trailerId ?? null,
  }
}
