import { type Context, hint, inputError, StudioError, suggest } from '../../../kernel'
import { formatDate, MINUTE_MS } from '../../../kernel/time'
import type { ReadTx, StorageContext, WriteTx } from '../../../storage'
import { describePlacement } from '../../booking/rules/booking-rules'
import { getDecisiveSpan } from '../../booking/rules/limits'
import { PlacementCheck } from '../../booking/rules/placement'
import { listNumbers } from '../../booking/rules/references'
import { parseTime } from '../../booking/rules/requested-slot'
import { requireUnusedReferences } from '../../booking/services/booking'
import { presentAppointment } from '../../booking/services/present-appointment'
import { resolveReason } from '../../facilities/rules/change-reasons'
import { toBookedSpan } from '../../facilities/rules/conflicts'
import type { Facility } from '../../facilities/rules/facility'
import { isExpected } from '../../gate/rules/expected-truck'
import {
  type AppointmentRecord,
  type ChangeDetails,
  findDoors,
  listBusySpans,
  listChanges,
  type StoredChange,
  saveAppointment,
} from '../../queries'
import { formatLocalDateTime, getLocalDay } from '../../rules/zoned-time'
import { createChange, lockAppointment, requireFacility, writeAppointments } from '../../services/tenant-access'
import { offerFreeSlots } from '../../waitlist/services/waitlist'
import {
  type AppointmentStep,
  takeStep as applyStep,
  listFollowingSteps,
  listTakenSteps,
  stepNames,
} from '../rules/appointment-steps'
import { requireNotTooEarly } from '../rules/early-arrival'
import { repeatStep } from './repeated-step'

/** When a step happened, as its details say if it was recorded later. */
export function getStepTime({ at, details }: Pick<StoredChange, 'at' | 'details'>): number {
  return details?.occurredAt ?? at
}

/** The steps of the present visit, oldest first. */
export async function readTakenSteps(tx: ReadTx, appointmentId: string): Promise<StoredChange[]> {
  return listTakenSteps(await listChanges(tx, appointmentId))
}

export interface StepRequest {
  id: string
  step: AppointmentStep
  /** When it happened, in a form of `START_TIME`; now if it is missing. */
  at?: string | null
  note?: string | null
  /** Of a truck that did not come or was turned away. */
  reason?: string | null
  /** Whether to cancel the appointment, so that its slot can be booked again. */
  releases?: boolean
  truck?: Pick<ChangeDetails, 'driverName' | 'licensePlate' | 'sealNumber'>
  /** Whether the caller has confirmed that the truck is much too early. */
  early?: boolean
}

/** Records a step of the truck in a transaction of its own. Throws as `recordStepIn` does. */
export function recordStep(ctx: Context & StorageContext, request: StepRequest) {
  return writeAppointments(ctx, async (tx) => {
    const { appointment, tenantId } = await lockAppointment(ctx, tx, request.id)
    const facility = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
    return recordStepIn(ctx, tx, { appointment, tenantId, facility }, request)
  })
}

/**
 * Records a step of the truck, with the facility locked. A repeated step succeeds, and corrects what a check-in says of the truck. Throws
 * `invalid_state` if the step may not follow the last one, or if the truck is much too early.
 */
export async function recordStepIn(
  ctx: Context & StorageContext,
  tx: WriteTx,
  { appointment, tenantId, facility }: { appointment: AppointmentRecord; tenantId: string; facility: Facility },
  { step, at, note, reason, releases = false, truck = {}, early = false }: Omit<StepRequest, 'id'>,
) {
  const now = ctx.clock.now()
  if (isGateLink(ctx.actor) && !isExpected(appointment, { now, timeZone: facility.timeZone }))
    throw new StudioError('invalid_state', 'Only the staff can check this truck in.')
  const name = `${appointment.referenceNumber} at ${appointment.facilityCode}`
  const progress = applyStep(appointment, step, releases)
  const isRepeated = progress === null && step === appointment.step
  if (progress === null && !isRepeated) throw stepError(appointment, step)
  const taken = await readTakenSteps(tx, appointment.id)
  const occurredAt = at == null ? now : resolveStepTime(facility, at, now)
  if (progress === null) {
    const recorded = taken.at(-1)!
    const recordedAt = getStepTime(recorded)
    const repeated = { at: at == null ? null : occurredAt, note: note ?? null, reason: reason ?? null, truck }
    const message = await repeatStep(ctx, tx, { appointment, facility, recorded, recordedAt, ...repeated })
    const data = presentAppointment(appointment)
    return { status: 'success' as const, message, data }
  }
  requireNotTooEarly(appointment, { step, at: occurredAt, timeZone: facility.timeZone, early })
  requireLaterStep(facility, occurredAt, taken)
  if (step === 'no_show') requireGraceOver(facility, appointment, occurredAt)
  const after = { ...appointment, ...progress }
  // Releasing the slot of an absence that is recorded keeps its reason.
  const given = reason ?? (step === appointment.step ? taken.at(-1)!.details?.reason : null)
  const why = step === 'no_show' || step === 'turned_away' ? resolveReason(facility, step, given) : null
  const details = { ...omitMissing({ ...truck, reason: why }), ...(at == null ? {} : { occurredAt }) }
  await saveAppointment(tx, { before: appointment, after }, { ...createChange(ctx, step), note, details })
  if (releases) await offerFreeSlots(ctx, tx, { tenantId, facility })
  const when = formatLocalDateTime(facility.timeZone, occurredAt)
  const released = releases ? ' Its slot is released.' : ''
  return {
    status: 'success' as const,
    message: `Recorded for ${name}: ${stepNames[step]}, ${when} (${facility.timeZone}).${released}`,
    data: presentAppointment(after),
  }
}

/** The page of a driver has found the truck before, and the staff may have decided since. */
function isGateLink(actor: Context['actor']): boolean {
  return actor.kind === 'dock' && actor.credential.kind === 'gate-link'
}

/** The error if a step may not follow the last one. */
export function stepError(appointment: AppointmentRecord, step: AppointmentStep): StudioError {
  const last = appointment.step
  const reason =
    appointment.status === 'cancelled'
      ? ': the appointment is cancelled'
      : last === null
        ? ' as the first step'
        : ` after ${last}`
  const next = listFollowingSteps(appointment)
  const { id } = appointment
  return new StudioError('invalid_state', `The step ${step} is not possible${reason}.`, {
    hint:
      next.length > 0
        ? hint`Possible steps: ${next.join(', ')}. Undo the last step: ${suggest('appointments.undo-step', { id })}`
        : hint`Show what happened: ${suggest('appointments.history', { id })}`,
  })
}

/** Throws `invalid` for a time in the future. */
export function resolveStepTime({ timeZone }: Facility, at: string, now: number): number {
  const time = parseTime(timeZone, at, { date: formatDate(getLocalDay(timeZone, now)), path: 'at' })
  if (time <= now) return time
  const message = `is in the future: it is ${formatLocalDateTime(timeZone, now)} at the facility (${timeZone})`
  throw inputError([{ path: 'at', message }])
}

function requireLaterStep({ timeZone }: Facility, at: number, taken: readonly StoredChange[]): void {
  const last = taken.at(-1)
  if (last === undefined || getStepTime(last) <= at) return
  const when = formatLocalDateTime(timeZone, getStepTime(last))
  const message = `must not be before the last step: ${last.kind} at ${when} (${timeZone})`
  throw inputError([{ path: 'at', message }])
}

/** A truck may be late. Only when its grace period is over is it a no-show. */
function requireGraceOver({ timeZone, graceMinutes }: Facility, { id, startAt }: AppointmentRecord, at: number): void {
  const end = startAt + graceMinutes * MINUTE_MS
  if (at >= end) return
  const until = formatLocalDateTime(timeZone, end)
  throw new StudioError('invalid_state', `The grace period of the appointment ends at ${until} (${timeZone}).`, {
    hint: hint`If the truck will not come, cancel the appointment: ${suggest('appointments.cancel', { id })}`,
  })
}

function omitMissing<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Partial<Fields>
}

/** Throws if an appointment cannot be scheduled again, because its reference or its slot was booked meanwhile. */
export async function requireReopenable(
  tx: WriteTx,
  facility: Facility,
  appointment: AppointmentRecord,
  now: number,
): Promise<void> {
  const { id, status, doorName } = appointment
  await requireUnusedReferences(tx, facility, listNumbers(appointment), id)
  const place = toBookedSpan(appointment)
  const busy = await listBusySpans(tx, facility, getDecisiveSpan(facility, place), { now, except: [id] })
  const reason = new PlacementCheck(facility, await findDoors(tx, facility.id), busy).findRoomReason(place)
  // A completed appointment kept its slot, so only another program that wrote to the tables can have taken it.
  if (reason === null || (reason !== 'taken' && status !== 'cancelled')) return
  const what =
    reason === 'taken'
      ? `Another appointment is at ${doorName} at that time.`
      : reason === 'capacity'
        ? 'The facility is full at that time.'
        : `The appointment does not fit at that time: ${describePlacement(facility, { day: getLocalDay(facility.timeZone, place.from), reason })}.`
  throw new StudioError('conflict', what, { hint: hint`Book the reference again: ${suggest('appointments.book')}` })
}
