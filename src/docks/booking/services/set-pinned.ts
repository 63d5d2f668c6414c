import type { Context } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { saveAppointment } from '../../queries'
import { createChange, lockAppointment, requireFacility, writeAppointments } from '../../services/tenant-access'
import { requireStatus } from '../rules/booking-rules'
import { requireSequence } from './appointment-sequence'
import { presentListedAppointment } from './present-appointment'

/** Pins or unpins an appointment. */
export function setPinned(
  ctx: Context & StorageContext,
  { id, ifSequence, isPinned }: { id: string; ifSequence: number | undefined; isPinned: boolean },
) {
  return writeAppointments(ctx, async (tx) => {
    const { appointment } = await lockAppointment(ctx, tx, id)
    requireSequence(appointment, ifSequence)
    const { timeZone } = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
    const word = isPinned ? 'pinned' : 'unpinned'
    requireStatus(appointment, ['scheduled'], word)
    const isSame = (appointment.pinned === 1) === isPinned
    const change = createChange(ctx, word)
    const saved = { ...appointment, pinned: Number(isPinned) }
    if (!isSame) await saveAppointment(tx, { before: appointment, after: saved }, change)
    const after = isSame ? appointment : { ...saved, sequence: appointment.sequence + 1, updatedAt: change.at }
    const { referenceNumber, doorName } = after
    const message = isSame
      ? `Nothing was changed: ${referenceNumber} is ${isPinned ? 'already' : 'not'} pinned.`
      : isPinned
        ? `Pinned ${referenceNumber} to ${doorName}.`
        : `Unpinned ${referenceNumber}.`
    return { status: 'success' as const, message, data: presentListedAppointment(after, timeZone) }
  })
}
