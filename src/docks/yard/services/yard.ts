import { findTenantId } from '../../../access'
import { type Context, hint, inputError, StudioError, suggest } from '../../../kernel'
import { formatInstant, HOUR_MS } from '../../../kernel/time'
import type { ReadTx, StorageContext, WriteTx } from '../../../storage'
import { chooseFacility, type Facility, type FacilityChoice } from '../../facilities/rules/facility'
import {
  findAppointment,
  findDoors,
  findScheduledReference,
  findTrailer,
  findTrailerAt,
  findYardSpot,
  listTrailers,
  listTrailersWithNumber,
  type NewTrailerStep,
  type TrailerRecord,
} from '../../queries'
import { formatLocalDateTime } from '../../rules/zoned-time'
import { identifyCaller, lockFacility, requireFacility } from '../../services/tenant-access'
import { type AppointmentStep, listFollowingSteps, stepNames } from '../../visits/rules/appointment-steps'
import { MAX_EARLY_HOURS } from '../../visits/rules/early-arrival'
import { isTruckAtDoor } from '../../visits/rules/truck-presence'
import { recordStepIn, resolveStepTime } from '../../visits/services/visit-steps'
import type { TrailerState, TrailerStep } from '../rules/trailer-steps'
import { presentTrailer, type Trailer } from '../schemas'

type TenantFacility = Facility & { tenantId: string }

/** How a call names a trailer: by its ID, or by the number of one that is in a yard. */
export interface TrailerChoice extends FacilityChoice {
  id: string
}

/** Throws `not_found`, or `invalid` if trailers with the number are in several yards. */
export async function requireTrailer(
  ctx: Pick<Context, 'actor' | 'clock'>,
  tx: ReadTx,
  { id: name, ...choice }: TrailerChoice,
): Promise<TrailerRecord> {
  const tenantId = await findTenantId(ctx, tx)
  const isFacilityNamed = choice.facilityId != null || choice.facilityCode != null
  const facility = isFacilityNamed ? await requireFacility(ctx, tx, choice) : null
  const known = tenantId && (await findTrailer(tx, tenantId, name.toLowerCase()))
  const found = known ? [known] : await listWithNumber()
  const [trailer, other] = found.filter(({ facilityId }) => facility === null || facilityId === facility.id)
  if (other !== undefined) {
    const codes = found.map(({ facilityCode }) => facilityCode).join(' and ')
    throw inputError([
      { path: 'facilityCode', message: `is required: trailers with the number ${name} are at ${codes}` },
    ])
  }
  if (trailer) return trailer
  const where = facility === null ? 'in a yard' : `in the yard of ${facility.code}`
  throw new StudioError('not_found', `There is no trailer ${name} ${where}.`, {
    hint: hint`List the trailers: ${suggest('yard.list', facility ? chooseFacility(facility) : { facilityCode: '<code>' })}`,
  })

  /** A deleted facility is meant only by a call that names it. */
  async function listWithNumber(): Promise<TrailerRecord[]> {
    if (facility !== null) return listTrailers(tx, { facilityId: facility.id, isPresent: true, number: name })
    return tenantId === null ? [] : listTrailersWithNumber(tx, tenantId, name)
  }
}

/** The trailer after a change, as an answer has it. */
export async function readTrailer(ctx: Pick<Context, 'actor' | 'clock'>, tx: ReadTx, id: string): Promise<Trailer> {
  return presentTrailer(await requireTrailer(ctx, tx, { id }), ctx.clock.now())
}

/** The trailer with its facility locked: until the transaction ends, no other transaction can change the yard. */
export async function lockTrailer(
  ctx: Pick<Context, 'actor' | 'clock'>,
  tx: WriteTx,
  choice: TrailerChoice,
): Promise<{ trailer: TrailerRecord; facility: TenantFacility }> {
  const { id, facilityId } = await requireTrailer(ctx, tx, choice)
  const facility = await lockFacility(ctx, tx, { facilityId })
  // Another caller may have changed it before it was locked.
  return { trailer: await requireTrailer(ctx, tx, { id }), facility }
}

/** The same for a trailer that is in the yard. Throws `invalid_state` if it has left. */
export async function lockPresentTrailer(ctx: Pick<Context, 'actor' | 'clock'>, tx: WriteTx, choice: TrailerChoice) {
  const locked = await lockTrailer(ctx, tx, choice)
  const { id, number, facilityCode, leftAt } = locked.trailer
  if (leftAt === null) return locked
  throw new StudioError('invalid_state', `The trailer ${number} has left ${facilityCode}.`, {
    hint: hint`If it is back, record its arrival: ${suggest('yard.arrive')}. If it did not leave, undo the step: ${suggest('yard.undo', { id })}`,
  })
}

export interface PlaceChoice {
  spotName?: string | null
  doorName?: string | null
}

interface Place {
  spotId: string | null
  doorId: string | null
  /** In messages. */
  name: string
}

/** The place, which must be free or have the trailer itself. Throws `invalid` if there is none of the name, and `conflict` if another trailer is there. */
export async function resolvePlace(
  tx: ReadTx,
  facility: Facility,
  { spotName, doorName }: PlaceChoice,
  trailerId: string | null,
): Promise<Place> {
  if (spotName != null && doorName != null)
    throw inputError([{ path: 'doorName', message: 'cannot be combined with spotName' }])
  if (spotName == null && doorName == null) return { spotId: null, doorId: null, name: 'the yard' }
  const place = spotName == null ? await findDoor(tx, facility, doorName!) : await findSpot(tx, facility, spotName)
  const { spotId, doorId } = place
  const there = await findTrailerAt(tx, spotId === null ? { doorId: doorId! } : { spotId })
  if (there === null || there.id === trailerId) return place
  throw new StudioError('conflict', `The trailer ${there.number} is at ${place.name}.`, {
    hint: hint`Move it first: ${suggest('yard.move', { id: there.id, spotName: '<spot>' })}. Show what is free: ${suggest('yard.board', { id: facility.code })}`,
  })
}

async function findSpot(tx: ReadTx, { id, code }: Facility, name: string): Promise<Place> {
  const spot = await findYardSpot(tx, id, name)
  if (spot) return { spotId: spot.id, doorId: null, name: spot.name }
  throw inputError(
    [{ path: 'spotName', message: `is no spot of ${code}` }],
    hint`Add it: ${suggest('yard.add-spots', { id: code, names: name })}`,
  )
}

async function findDoor(tx: ReadTx, { id, code }: Facility, name: string): Promise<Place> {
  const door = (await findDoors(tx, id)).find((one) => one.name === name)
  if (door) return { spotId: null, doorId: door.id, name: door.name }
  throw inputError([{ path: 'doorName', message: `is no door of ${code}` }])
}

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

/** A step of a trailer as it is stored. `at` is when it happened, now if it is missing. Throws `invalid` if it is before `after`, the time of the last step in epoch milliseconds. */
export function createTrailerStep(
  ctx: Pick<Context, 'actor' | 'clock'>,
  facility: Facility,
  { kind, at, after, state }: { kind: TrailerStep; at?: string | null; after?: number; state: TrailerState },
): NewTrailerStep {
  const now = ctx.clock.now()
  const occurredAt = at == null ? now : resolveStepTime(facility, at, now)
  if (after !== undefined && occurredAt < after) {
    const message = `must not be before the last step: ${describeTime(facility, after)}`
    throw inputError([{ path: 'at', message }])
  }
  return { kind, at: now, occurredAt, caller: identifyCaller(ctx), state }
}

/** In messages, such as `2027-03-01 06:00 (America/Chicago)`. */
export function describeTime({ timeZone }: Pick<Facility, 'timeZone'>, instant: number): string {
  return `${formatLocalDateTime(timeZone, instant)} (${timeZone})`
}

export function stateOf(trailer: TrailerRecord): TrailerState {
  const { number, carrierName, loaded, appointmentId, spotId, doorId, note } = trailer
  return { number, carrierName, loaded, appointmentId, spotId, doorId, note }
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
