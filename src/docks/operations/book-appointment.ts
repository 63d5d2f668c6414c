import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { BookedAppointment, Booking, Success } from '../schemas'
import { bookEarliestSlot, loadBookingSite, planBooking } from '../services/booking'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../services/facility-options'
import { describeSlot, presentAppointment } from '../services/present-appointment'
import { lockFacility, writeAppointments } from '../services/tenant-access'

export const bookAppointment = operation({
  id: 'appointments.book',
  summary: 'Book the earliest free dock slot',
  description:
    'Books the earliest conflict-free slot on or after the target date. If that date is closed or full, the booking rolls over day by day, up to 30 days, unless the facility disables that.',
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
    toInput: toFacilityInput,
    examples: [
      'studio book --facility DC1 --type delivery --carrier "Blue Freight" --reference PO-1001 --date 2027-03-01 --pallets 12',
      'studio book --facility DC1 --type pickup --carrier "Blue Freight" --reference BOL-77 --date 2027-03-01 --duration 45 --json',
    ],
    seeAlso: ['appointment list', 'reschedule', 'appointment cancel', 'facility list'],
  },
  run(ctx: Context & StorageContext, booking) {
    return writeAppointments(ctx, async (tx) => {
      const now = ctx.clock.now()
      const { tenantId, ...facility } = await lockFacility(ctx, tx, booking)
      const plan = planBooking(facility, booking, { now })
      const { referenceNumber } = booking
      const site = await loadBookingSite(tx, { tenantId, facility }, { plan, referenceNumber })
      const appointment = await bookEarliestSlot(tx, site, { booking, plan, now, id: ctx.ids.uuid() })
      return {
        status: 'success' as const,
        message: `Booked for ${describeSlot(appointment, facility.timeZone)}.`,
        data: presentAppointment(appointment),
      }
    })
  },
})
