import * as z from 'zod'
import { type Context, inputError, operation, StudioError } from '../../../kernel'
import type { StorageContext, WriteTx } from '../../../storage'
import { resolveReason } from '../../facilities/rules/change-reasons'
import type { Facility } from '../../facilities/rules/facility'
import { type AppointmentRecord, type ChangedAppointment, findDoors, listBusySpans, saveMoves } from '../../queries'
import { formatLocalDateTime, getLocalDay } from '../../rules/zoned-time'
import { Success } from '../../schemas'
import {
  createChange,
  lockAppointment,
  requireAppointment,
  requireFacility,
  writeAppointments,
} from '../../services/tenant-access'
import { expectAgain } from '../../visits/rules/appointment-steps'
import { requireDateOfTruck, requireNoTruckAtDoor } from '../../visits/rules/truck-presence'
import { offerFreeSlots } from '../../waitlist/services/waitlist'
import { requireStatus, slotUnavailableError } from '../rules/booking-rules'
import type { Span } from '../rules/spans'
import { Appointment, AppointmentId, Reason } from '../schemas'
import { findRefusedMove } from '../services/check-moves'
import { describeSlot, presentAppointment } from '../services/present-appointment'

export const swapAppointments = operation({
  id: 'appointments.swap',
  summary: 'Swap the times and doors of two appointments',
  description:
    'Each appointment starts when and where the other one did, and keeps its length. Both are at the same facility and have not started, and neither truck is at a door. A truck that has checked in stays on its date, or comes to today. If one of them does not fit, neither is moved. The lead time does not apply. Swapping them again undoes it.',
  effect: 'write',
  access: { docks: 'clerk' },
  input: z
    .strictObject({
      id: AppointmentId,
      otherId: AppointmentId.describe('ID of the other appointment'),
      reason: Reason,
    })
    .refine(({ id, otherId }) => id !== otherId, { path: ['otherId'], message: 'must be another appointment' }),
  output: Success.extend({ data: z.array(Appointment).describe('Both appointments, in the order of the request') }),
  errors: ['not_found', 'invalid_state', 'slot_unavailable'],
  http: { method: 'post', path: '/api/appointments/{id}/swap', extension: true },
  cli: {
    command: 'appointment swap',
    args: ['id', 'otherId'],
    examples: ['studio appointment swap 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 0c1d7f2e-93ab-4d0a-8e5e-6b1f3a9c4d22'],
    seeAlso: ['reschedule', 'appointment update', 'facility board'],
  },
  run(ctx: Context & StorageContext, { id, otherId, reason }) {
    return writeAppointments(ctx, async (tx) => {
      const now = ctx.clock.now()
      const { appointment: one } = await lockAppointment(ctx, tx, id)
      const { appointment: other } = await requireAppointment(ctx, tx, otherId)
      if (one.facilityId !== other.facilityId) {
        const message = `is at ${other.facilityCode}, not at ${one.facilityCode}: only appointments at one facility can be swapped`
        throw inputError([{ path: 'otherId', message }])
      }
      for (const appointment of [one, other]) requireNotStarted(appointment, now)
      const facility = await requireFacility(ctx, tx, { facilityId: one.facilityId })
      const moves = [
        { before: one, after: takePlace(one, other) },
        { before: other, after: takePlace(other, one) },
      ] as const
      for (const { before, after } of moves) {
        const day = getLocalDay(facility.timeZone, after.startAt)
        requireDateOfTruck(before, { day, timeZone: facility.timeZone, now }, 'swapped')
      }
      await requireRoom(tx, facility, moves, now)
      await saveMoves(tx, moves, createChange(ctx, 'swapped', resolveReason(facility, 'rescheduled', reason)))
      // The shorter appointment leaves time free at its new place.
      await offerFreeSlots(ctx, tx, { tenantId: facility.tenantId, facility })
      const places = moves.map(
        ({ after }) => `${after.referenceNumber} is now ${describeSlot(after, facility.timeZone)}`,
      )
      return {
        status: 'success' as const,
        message: `Swapped: ${places.join(', ')}.`,
        data: moves.map(({ after }) => presentAppointment(after)),
      }
    })
  },
})

function requireNotStarted(appointment: AppointmentRecord, now: number): void {
  requireStatus(appointment, ['scheduled'], 'swapped')
  requireNoTruckAtDoor(appointment, 'swapped')
  if (appointment.startAt >= now) return
  throw new StudioError(
    'invalid_state',
    `Appointment ${appointment.referenceNumber} has started and cannot be swapped.`,
    {
      hint: 'Choose an appointment that starts later.',
    },
  )
}

function takePlace(moved: AppointmentRecord, { startAt, doorId, doorName }: AppointmentRecord): AppointmentRecord {
  return {
    ...moved,
    step: expectAgain(moved.step),
    doorId,
    doorName,
    startAt,
    endAt: startAt + moved.endAt - moved.startAt,
  }
}

/** Throws `slot_unavailable` unless each appointment fits beside all others, with the other one at its new place. */
async function requireRoom(
  tx: WriteTx,
  facility: Facility,
  moves: readonly [ChangedAppointment, ChangedAppointment],
  now: number,
): Promise<void> {
  const doors = await findDoors(tx, facility.id)
  const except = moves.map(({ before }) => before.id)
  const listBusy = (span: Span) => listBusySpans(tx, facility, span, { now, except })
  const refused = await findRefusedMove({ facility, doors, listBusy }, moves)
  if (refused === null) return
  const { after } = refused.move
  throw slotUnavailableError(facility, {
    what: `Appointment ${after.referenceNumber} does not fit at ${formatLocalDateTime(facility.timeZone, after.startAt)}`,
    path: refused.move === moves[0] ? 'id' : 'otherId',
    startAt: after.startAt,
    refusals: [{ doors: [{ name: after.doorName }], reason: refused.reason }],
    alternatives: [],
  })
}
