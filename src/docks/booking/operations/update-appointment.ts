import * as z from 'zod'
import { type Context, inputError, operation } from '../../../kernel'
import { toRemovals } from '../../../kernel/json'
import { MINUTE_MS } from '../../../kernel/time'
import type { StorageContext, WriteTx } from '../../../storage'
import { requireBeforeCutoff } from '../../carriers/rules/carriers'
import { toBookedSpan } from '../../facilities/rules/conflicts'
import { resolveCustomValues } from '../../facilities/rules/custom-fields'
import type { Facility } from '../../facilities/rules/facility'
import { type AppointmentRecord, findDoors, listBusySpans, saveAppointment } from '../../queries'
import { formatLocalDateTime, getLocalDay } from '../../rules/zoned-time'
import { Success } from '../../schemas'
import {
  createChange,
  lockAppointment,
  requireFacility,
  resolveCarrier,
  writeAppointments,
} from '../../services/tenant-access'
import { offerFreeSlotsAt } from '../../waitlist/services/waitlist'
import { computeEarliestStart, requireStatus, requireWithinLimits, slotUnavailableError } from '../rules/booking-rules'
import { getDecisiveSpan } from '../rules/limits'
import { isSuitable, presentLoad, toStoredChanges } from '../rules/load'
import { EQUIPMENT_ID_MISMATCH, equipmentAlias, hasOneEquipmentId, loadChange } from '../rules/load-schemas'
import { PlacementCheck } from '../rules/placement'
import { listNumbers, resolveReferences, storeReferences } from '../rules/references'
import type { Span } from '../rules/spans'
import { Appointment, AppointmentId, bookingFields, DurationMinutes } from '../schemas'
import { IfSequence, requireSequence } from '../services/appointment-sequence'
import { replaceAppointment, requireUnusedReferences } from '../services/booking'
import { bookingFlags, loadChangeFlags } from '../services/booking-flags'
import { findAlternatives } from '../services/find-place'
import { describeSlot, presentAppointment } from '../services/present-appointment'

export const updateAppointment = operation({
  id: 'appointments.update',
  summary: 'Change the carrier, reference, type, load or length of an appointment',
  description:
    'The appointment keeps its start and its door. A field that is not given stays as it is. In a request, null removes a value; on the command line, "" does. A longer duration is accepted only if the door and the facility are free until the new end. Another type or other requirements are accepted only if the door fits them. The number of pallets does not change the length.',
  effect: 'write',
  access: { docks: 'clerk', carriers: true },
  input: z
    .strictObject({
      id: AppointmentId,
      carrierName: bookingFields.carrierName.optional(),
      referenceNumber: bookingFields.referenceNumber.optional(),
      references: bookingFields.references,
      type: bookingFields.type.optional(),
      ...loadChange,
      ...equipmentAlias,
      durationMinutes: DurationMinutes.optional().describe('New length in minutes, from the same start'),
      ifSequence: IfSequence,
    })
    .refine(hasOneEquipmentId, EQUIPMENT_ID_MISMATCH),
  output: Success.extend({ data: Appointment }),
  errors: ['not_found', 'invalid_state', 'stale_revision', 'duplicate_reference', 'slot_unavailable'],
  http: { method: 'patch', path: '/api/appointments/{id}', extension: true },
  cli: {
    command: 'appointment update',
    args: ['id'],
    flags: { ...bookingFlags, ...loadChangeFlags, ifSequence: { value: 'sequence' } },
    toInput: toRemovals,
    examples: [
      'studio appointment update 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --equipment TRL-4411 --carrier "Blue Freight"',
      'studio appointment update 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --pallets 24 --duration 90',
    ],
    seeAlso: ['appointment get', 'reschedule', 'appointment cancel'],
  },
  run(ctx: Context & StorageContext, { id, ifSequence, ...given }) {
    if (Object.values(given).every((value) => value === undefined)) {
      throw inputError([{ path: '', message: 'specify at least one field to change' }])
    }
    return writeAppointments(ctx, async (tx) => {
      const now = ctx.clock.now()
      const { appointment, tenantId } = await lockAppointment(ctx, tx, id)
      requireSequence(appointment, ifSequence)
      requireStatus(appointment, ['scheduled'], 'changed')
      const facility = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
      requireBeforeCutoff(facility, appointment, { action: 'change', now })
      const changes = resolveReferences(given, appointment)
      const { carrierName, referenceNumber, references, type, durationMinutes } = changes
      if (carrierName !== undefined) resolveCarrier(ctx, carrierName)
      const request = { ...changes, type: type ?? appointment.type }
      const before = presentLoad(appointment)
      const updated = {
        ...appointment,
        carrierName: carrierName ?? appointment.carrierName,
        referenceNumber: referenceNumber ?? appointment.referenceNumber,
        references: references === undefined ? appointment.references : storeReferences(references),
        type: type ?? appointment.type,
        ...toStoredChanges({ ...changes, ...resolveCustomValues(facility, request, before) }),
        endAt:
          durationMinutes === undefined
            ? appointment.endAt
            : appointment.startAt + requireWithinLimits(facility, durationMinutes) * MINUTE_MS,
      }
      const isSame = Object.entries(updated).every(([field, value]) => appointment[field as 'id'] === value)
      const isRenamed =
        updated.referenceNumber !== appointment.referenceNumber || updated.references !== appointment.references
      if (isRenamed) await requireUnusedReferences(tx, facility, listNumbers(updated), id)
      await requireRoom(tx, facility, { appointment, updated, now })
      if (!isSame) {
        await saveAppointment(tx, { before: appointment, after: updated }, createChange(ctx, 'updated'))
        // A shorter stay frees time, and another carrier or fewer pallets free what a limit counts.
        await offerFreeSlotsAt(ctx, tx, { tenantId, facilityId: facility.id })
      }
      const name = `Appointment ${appointment.referenceNumber} at ${appointment.facilityCode}`
      return {
        status: 'success' as const,
        message: isSame
          ? `Nothing was changed: ${name} has these values already.`
          : `${name} is updated: ${describeSlot(updated, facility.timeZone)}.`,
        data: presentAppointment(updated),
      }
    })
  },
})

interface Update {
  appointment: AppointmentRecord
  updated: AppointmentRecord
  now: number
}

/** Checks only another type, the added time and a changed load: the appointment keeps what it has, even if it no longer fits the facility. */
async function requireRoom(tx: WriteTx, facility: Facility, { appointment, updated, now }: Update): Promise<void> {
  const { id, doorId, type, startAt, endAt, requirements, equipmentHeight, palletCount, carrierName } = updated
  const isLonger = endAt > appointment.endAt
  const isOtherType = type !== appointment.type
  const isDemanding = requirements !== appointment.requirements || equipmentHeight !== appointment.equipmentHeight
  const isCounted = palletCount !== appointment.palletCount || carrierName !== appointment.carrierName
  if (!isOtherType && !isLonger && !isDemanding && !isCounted) return
  const doors = await findDoors(tx, facility.id)
  const busy = (span: Span) => listBusySpans(tx, facility, span, { now, except: [id] })
  const stay = toBookedSpan(updated)
  const replaces = replaceAppointment(appointment)
  const check = new PlacementCheck(facility, doors, await busy(getDecisiveSpan(facility, stay)), replaces)
  const door = doors.find((one) => one.id === doorId)
  const findReason = () => {
    if (isDemanding && door && !isSuitable(door, updated)) return 'requirements'
    if (isOtherType) return check.findReason(stay)
    const reason = isLonger ? check.findReason({ ...stay, from: appointment.endAt }, { isAdded: true }) : null
    return reason ?? (isCounted && check.isLimited(stay) ? 'limit' : null)
  }
  const reason = findReason()
  if (reason === null) return
  const minutes = (endAt - startAt) / MINUTE_MS
  const firstDay = getLocalDay(facility.timeZone, startAt)
  const alternatives = await findAlternatives(
    { facility, doors, busy, replaces },
    {
      load: updated,
      minutes,
      firstDay,
      notBefore: computeEarliestStart(facility, now),
      startAt,
      preferred: doors.filter((door) => door.id === doorId),
    },
  )
  throw slotUnavailableError(facility, {
    what: isOtherType
      ? `The appointment cannot be a ${type} at ${formatLocalDateTime(facility.timeZone, startAt)}`
      : isLonger
        ? `The appointment cannot stay until ${formatLocalDateTime(facility.timeZone, endAt)}`
        : `The appointment cannot stay at ${formatLocalDateTime(facility.timeZone, startAt)}`,
    path:
      reason === 'requirements' ? 'requirements' : isOtherType ? 'type' : isLonger ? 'durationMinutes' : 'palletCount',
    startAt,
    refusals: [{ doors: [{ name: updated.doorName }], reason }],
    alternatives,
  })
}
