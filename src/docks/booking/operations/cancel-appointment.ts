import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { requireBeforeCutoff } from '../../carriers/rules/carriers'
import { resolveReason } from '../../facilities/rules/change-reasons'
import { type AppointmentRecord, saveAppointment } from '../../queries'
import { Success } from '../../schemas'
import { createChange, lockAppointment, requireFacility, writeAppointments } from '../../services/tenant-access'
import { requireNoTruckAtDoor } from '../../visits/rules/truck-presence'
import { offerFreeSlotsAt } from '../../waitlist/services/waitlist'
import { requireStatus } from '../rules/booking-rules'
import { AppointmentId, Reason } from '../schemas'

export const cancelAppointment = operation({
  id: 'appointments.cancel',
  summary: 'Cancel an appointment and free its slot',
  description:
    'Cancelling a cancelled appointment succeeds and changes nothing. A completed appointment cannot be cancelled, nor can one whose truck is at the door.',
  effect: 'write',
  access: { docks: 'clerk', carriers: true },
  input: z.strictObject({ id: AppointmentId, reason: Reason }),
  output: Success,
  errors: ['not_found', 'invalid_state'],
  http: { method: 'delete', path: '/api/appointments/{id}' },
  cli: {
    command: 'appointment cancel',
    args: ['id'],
    examples: [
      'studio appointment cancel 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10',
      'studio appointment cancel 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --reason Weather',
    ],
    seeAlso: ['appointment list', 'reschedule', 'book'],
  },
  run(ctx: Context & StorageContext, { id, reason: given }) {
    return writeAppointments(ctx, async (tx) => {
      const { appointment, tenantId } = await lockAppointment(ctx, tx, id)
      requireStatus(appointment, ['scheduled', 'cancelled'], 'cancelled')
      requireNoTruckAtDoor(appointment, 'cancelled')
      const again = appointment.status === 'cancelled'
      if (!again) {
        const facility = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
        requireBeforeCutoff(facility, appointment, { action: 'cancel', now: ctx.clock.now() })
        const reason = resolveReason(facility, 'cancelled', given)
        const after: AppointmentRecord = { ...appointment, status: 'cancelled' }
        await saveAppointment(tx, { before: appointment, after }, createChange(ctx, 'cancelled', reason))
        await offerFreeSlotsAt(ctx, tx, { tenantId, facilityId: appointment.facilityId })
      }
      const name = `Appointment ${appointment.referenceNumber} at ${appointment.facilityCode}`
      return { status: 'success' as const, message: `${name} ${again ? 'was already cancelled' : 'is cancelled'}.` }
    })
  },
})
