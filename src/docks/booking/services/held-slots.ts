import { type Context, hint, StudioError, suggest } from '../../../kernel'
import { MINUTE_MS } from '../../../kernel/time'
import type { StorageContext, WriteTx } from '../../../storage'
import { toBookedSpan } from '../../facilities/rules/conflicts'
import { type Facility, nameFacility } from '../../facilities/rules/facility'
import { type NewAppointment, removeHold, type SlotHoldRecord } from '../../queries'
import { formatLocalDateTime, getLocalDay } from '../../rules/zoned-time'
import { identifyCaller } from '../../services/tenant-access'
import { type BookingRequest, bookSlot, loadSite } from './booking'
import type { BookingPlan } from './booking-plan'

/** Books exactly the held slot and ends the hold. Throws `invalid_state` for an expired hold, and the errors of a booking. */
export async function bookHeldSlot(
  ctx: Context & StorageContext,
  tx: WriteTx,
  {
    tenantId,
    facility,
    hold,
    note = null,
  }: { tenantId: string; facility: Facility; hold: SlotHoldRecord; note?: string | null },
  booking: BookingRequest,
): Promise<NewAppointment> {
  const now = ctx.clock.now()
  requireNotExpired(hold, facility, now)
  const replaces = { freed: [toBookedSpan(hold)] }
  const site = await loadSite(tx, { tenantId, facility }, { now, except: [hold.id], replaces })
  const appointment = await bookSlot(tx, site, {
    booking: { ...booking, isPinned: hold.pinned === 1 },
    plan: planOf(hold, facility, now),
    now,
    id: ctx.ids.uuid(),
    caller: identifyCaller(ctx),
    source: 'hold',
    note,
    allowedDoors: site.doors.filter((door) => door.id === hold.doorId),
  })
  await removeHold(tx, hold.id)
  return appointment
}

function requireNotExpired(hold: SlotHoldRecord, facility: Facility, now: number): void {
  if (hold.expiresAt > now) return
  const when = formatLocalDateTime(facility.timeZone, hold.expiresAt)
  throw new StudioError('invalid_state', `The hold expired at ${when} (${facility.timeZone}).`, {
    hint: hint`See what is free: ${suggest('facilities.availability', { id: nameFacility(facility) })}`,
  })
}

/** The held start alone. The lead time was checked when the slot was held. */
function planOf({ startAt, endAt }: SlotHoldRecord, { timeZone }: Facility, now: number): BookingPlan {
  const day = getLocalDay(timeZone, startAt)
  return { firstDay: day, lastDay: day, minutes: (endAt - startAt) / MINUTE_MS, notBefore: now, startAt, window: null }
}
