import type * as z from 'zod'
import { type Context, settlePlan } from '../../../kernel'
import type { StorageContext, WriteTx } from '../../../storage'
import { type ChangedAppointment, insertAppointment, type NewAppointment, saveMoves } from '../../queries'
import { toLoad } from '../rules/load'
import type { DoorMove } from '../schemas'
import { type BookingSite, type bookSlot, buildAppointment, requireNewReferences } from './booking'
import { findPlace } from './find-place'
import { findPlaceOrRoom } from './find-room'
import type { RoomMode } from './room-policy'

export interface BookedWithRoom {
  appointment: NewAppointment
  moves: readonly ChangedAppointment[]
  /** False if an earlier start was passed over because the search for room ended at its limit. */
  isComplete: boolean
}

type BookingOptions = Parameters<typeof bookSlot>[2]

/**
 * Books like `bookSlot`, and moves others to other doors if the mode allows it and no slot is free. All of it is one transaction. A dry run
 * saves nothing.
 */
export async function bookWithRoom(
  ctx: Context & StorageContext,
  tx: WriteTx,
  site: BookingSite,
  {
    booking,
    plan,
    now,
    id,
    mode,
    dryRun,
    allowedDoors = site.doors,
    ...origin
  }: BookingOptions & { mode: RoomMode; dryRun: boolean },
): Promise<BookedWithRoom> {
  await requireNewReferences(tx, site, booking)
  const wanted = { load: toLoad(booking), plan, allowedDoors }
  const { slot, moves, isComplete } =
    mode === null
      ? { slot: await findPlace(site, wanted), moves: [], isComplete: true }
      : await findPlaceOrRoom(ctx, tx, { site, wanted, mode })
  const appointment = buildAppointment(slot, site.facility, booking, id)
  settlePlan(ctx, {
    slot: [slot.door.id, slot.from, slot.to],
    moves: moves.map(({ after }) => [after.id, after.doorId]),
  })
  if (dryRun) return { appointment, moves, isComplete }
  if (moves.length > 0) {
    const madeRoomFor = { id, referenceNumber: appointment.referenceNumber }
    await saveMoves(tx, moves, { kind: 'rescheduled', at: now, caller: ROOM_MAKER, details: { madeRoomFor } })
  }
  await insertAppointment(tx, appointment, { tenantId: site.tenantId, createdAt: now, ...origin })
  return { appointment, moves, isComplete }
}

/** In the history of those who move, in place of the caller, who may be another carrier. */
const ROOM_MAKER = { id: 'make-room', name: null }

export function presentMove({ before, after }: ChangedAppointment): z.output<typeof DoorMove> {
  const { id, referenceNumber } = before
  return { id, referenceNumber, fromDoor: before.doorName, toDoor: after.doorName }
}

export function describeMove({ before, after }: ChangedAppointment): string {
  return `${before.referenceNumber} from ${before.doorName} to ${after.doorName}`
}
