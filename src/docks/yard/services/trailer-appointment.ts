import { type Context, hint, inputError, StudioError, suggest } from '../../../kernel'
import { formatInstant, HOUR_MS } from '../../../kernel/time'
import type { ReadTx, StorageContext, WriteTx } from '../../../storage'
import { findAppointment, findScheduledReference } from '../../queries'
import type { TenantFacility } from '../../services/tenant-access'
import {
  type AppointmentStep,
  isTruckAtDoor,
  listFollowingSteps,
  stepNames,
} from '../../visits/rules/appointment-steps'
import { MAX_EARLY_HOURS } from '../../visits/rules/early-arrival'
import { recordStepIn } from '../../visits/services/visit-steps'

/** The appointment that a call names by its ID, or by a scheduled reference. Throws `invalid` if there is none at the facility. */
export async function resolveAppointment(
  tx: ReadTx,
  { id: facilityId, tenantId, code }: TenantFacility,
  name: string,
): Promise<{ id: string; carrierName: string }> {
  const byId = await findAppointment(tx, tenantId, name.toLowerCase())
  const found = byId?.facilityId === facilityId ? byId : await findScheduledReference(tx, facilityId, name)
  if (found) return found
  throw inputError([
    { path: 'appointment', message: `is no ID and no scheduled reference of an appointment at ${code}` },
  ])
}

/** Throws `conflict` for another door than that of an appointment that is not completed. */
export async function requireDoorOfAppointment(
  tx: ReadTx,
  { tenantId }: TenantFacility,
  { appointmentId, doorId }: { appointmentId: string | null; doorId: string | null },
): Promise<void> {
  if (appointmentId === null || doorId === null) return
  const appointment = await findAppointment(tx, tenantId, appointmentId)
  if (appointment?.status !== 'scheduled' || appointment.doorId === doorId) return
  const { id, referenceNumber, doorName, startAt } = appointment
  const undo = isTruckAtDoor(appointment) ? hint`undo its step, ${suggest('appointments.undo-step', { id })}, and ` : ''
  throw new StudioError('conflict', `The appointment of ${referenceNumber} is at ${doorName}.`, {
    hint: hint`Move the trailer there, or ${undo}move the appointment to another door: ${suggest('appointments.reschedule', { id, startTime: formatInstant(startAt), doorId: '<door>' })}`,
  })
}

/** The step of a truck that a step of its trailer is too. */
type AppointmentStepOfTrailer = Extract<AppointmentStep, 'checked_in' | 'at_door' | 'departed'>

/**
 * Records a step of a trailer as one of its appointment too, if it may follow there. Returns a sentence for the message of the call, or an empty
 * text if nothing was recorded. A trailer may arrive days before its appointment: that is no check-in of its truck.
 */
export async function recordForAppointment(
  ctx: Context & StorageContext,
  tx: WriteTx,
  facility: TenantFacility,
  {
    appointmentId,
    step,
    occurredAt,
  }: { appointmentId: string | null; step: AppointmentStepOfTrailer; occurredAt: number },
): Promise<string> {
  const { tenantId } = facility
  const appointment = appointmentId && (await findAppointment(tx, tenantId, appointmentId))
  if (!appointment || !listFollowingSteps(appointment).includes(step)) return ''
  const { referenceNumber, startAt } = appointment
  if (step === 'checked_in' && startAt - occurredAt > MAX_EARLY_HOURS * HOUR_MS) return ''
  const at = formatInstant(occurredAt)
  await recordStepIn(ctx, tx, { appointment, tenantId, facility }, { step, at, early: true })
  return ` The appointment of ${referenceNumber} is ${stepNames[step]}.`
}
