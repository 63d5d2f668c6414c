import { type Context, hint, inputError, StudioError, suggest } from '../../../kernel'
import type { StorageContext, WriteTx } from '../../../storage'
import type { Facility } from '../../facilities/rules/facility'
import { insertTrailer, listTrailers } from '../../queries'
import { createTrailerStep, describeTime } from './new-trailer-step'
import { recordForAppointment, requireDoorOfAppointment, resolveAppointment } from './trailer-appointment'
import { type PlaceChoice, resolvePlace } from './trailer-places'

export interface Arrival extends PlaceChoice {
  number: string
  carrierName?: string | null
  loaded: boolean
  /** Its ID or a reference. */
  appointment?: string | null
  at?: string | null
  note?: string | null
}

/** Stores a trailer that arrives at a facility, which is locked. Throws `conflict` if it is there already, or if its place is taken. */
export async function recordArrival(
  ctx: Context & StorageContext,
  tx: WriteTx,
  facility: Facility & { tenantId: string },
  { number, carrierName, loaded, appointment, at, note, ...choice }: Arrival,
): Promise<{ id: string; message: string }> {
  await requireNotThere(tx, facility, number, null)
  const booked = appointment == null ? null : await resolveAppointment(tx, facility, appointment)
  const carrier = carrierName ?? booked?.carrierName
  if (carrier === undefined)
    throw inputError([{ path: 'carrierName', message: 'is required unless an appointment is given' }])
  const place = await resolvePlace(tx, facility, choice, null)
  const { spotId, doorId } = place
  const appointmentId = booked?.id ?? null
  const state = { number, carrierName: carrier, loaded, appointmentId, spotId, doorId, note: note ?? null }
  const after = at == null ? undefined : await findLastLeft(tx, facility, number)
  const step = createTrailerStep(ctx, facility, { kind: 'arrived', at, after, state })
  const { occurredAt } = step
  // Before anything is stored, because the import of a file goes on after a row that is refused.
  await requireDoorOfAppointment(tx, facility, { appointmentId, doorId })
  const recorded = { appointmentId, occurredAt }
  const said = [await recordForAppointment(ctx, tx, facility, { ...recorded, step: 'checked_in' })]
  if (doorId !== null) said.push(await recordForAppointment(ctx, tx, facility, { ...recorded, step: 'at_door' }))
  const id = ctx.ids.uuid()
  await insertTrailer(tx, { id, tenantId: facility.tenantId, facilityId: facility.id }, step)
  return {
    id,
    message: `The trailer ${number} arrived at ${facility.code}, in ${place.name}: ${describeTime(facility, occurredAt)}.${said.join('')}`,
  }
}

/** When a trailer with the number last left the yard: it cannot have arrived again before. */
async function findLastLeft(tx: WriteTx, { id: facilityId }: Facility, number: string): Promise<number | undefined> {
  const stays = await listTrailers(tx, { facilityId, number })
  return stays.reduce<number | undefined>((last, { leftAt }) => Math.max(last ?? 0, leftAt ?? 0), undefined)
}

/** Throws `conflict` if another trailer with the number is in the yard. */
export async function requireNotThere(
  tx: WriteTx,
  { id: facilityId, code }: Facility,
  number: string,
  trailerId: string | null,
): Promise<void> {
  const there = (await listTrailers(tx, { facilityId, isPresent: true, number })).find(({ id }) => id !== trailerId)
  if (!there) return
  const place = there.spotName ?? there.doorName
  throw new StudioError(
    'conflict',
    `The trailer ${there.number} is in the yard of ${code} already${place === null ? '' : `, at ${place}`}.`,
    {
      hint: hint`Move it: ${suggest('yard.move', { id: there.id, spotName: '<spot>' })}. If it has left: ${suggest('yard.leave', { id: there.id })}`,
    },
  )
}
