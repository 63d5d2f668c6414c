import * as z from 'zod'
import { type Context, hint, inputError, operation, StudioError, suggest } from '../../kernel'
import { MINUTE_MS } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { removeHold, type SlotHoldRecord } from '../queries'
import { type Facility, nameFacility } from '../rules/facility'
import { listRequirements } from '../rules/load-requirements'
import { formatLocalDateTime, getLocalDay } from '../rules/zoned-time'
import {
  BookedAppointment,
  bookingFields,
  EQUIPMENT_ID_MISMATCH,
  hasOneEquipmentId,
  loadFields,
  SlotHoldId,
  Success,
} from '../schemas'
import { type BookingPlan, bookSlot, loadSite } from '../services/booking'
import { requirementFlags } from '../services/facility-options'
import { describeSlot, presentAppointment } from '../services/present-appointment'
import { identifyCaller, lockHold, requireFacility, writeAppointments } from '../services/tenant-access'

const { durationMinutes: _, ...fieldsOfLoad } = loadFields

export const confirmHold = operation({
  id: 'holds.confirm',
  summary: 'Book the slot of a hold',
  description:
    'Books exactly the held slot and ends the hold. Refused if the hold has expired. A change of the facility ends the holds that it cannot accept any more.',
  effect: 'write',
  access: 'tenant',
  input: z
    .strictObject({
      id: SlotHoldId,
      carrierName: bookingFields.carrierName
        .nullish()
        .describe('Carrier company name; required unless the hold has one'),
      referenceNumber: bookingFields.referenceNumber,
      ...fieldsOfLoad,
      palletCount: loadFields.palletCount.describe('Number of pallets'),
    })
    .refine(hasOneEquipmentId, EQUIPMENT_ID_MISMATCH),
  output: Success.extend({ data: BookedAppointment }),
  errors: ['not_found', 'invalid_state', 'duplicate_reference', 'slot_unavailable'],
  http: { method: 'post', path: '/api/holds/{id}/confirm', extension: true },
  cli: {
    command: 'hold confirm',
    args: ['id'],
    argumentNames: { id: 'holdId' },
    flags: {
      carrierName: { name: 'carrier', value: 'name' },
      referenceNumber: { name: 'reference', value: 'ref' },
      palletCount: { name: 'pallets' },
      weight: { value: 'lbs' },
      loadDescription: { name: 'load' },
      equipmentId: { name: 'equipment', value: 'number' },
      trailerId: false,
      ...requirementFlags,
    },
    examples: ['studio hold confirm 7d0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --carrier "Blue Freight" --reference PO-1005'],
    seeAlso: ['hold create', 'hold release', 'book'],
  },
  run(ctx: Context & StorageContext, { id, ...load }) {
    return writeAppointments(ctx, async (tx) => {
      const now = ctx.clock.now()
      const { hold, tenantId } = await lockHold(ctx, tx, id)
      const facility = await requireFacility(ctx, tx, { facilityId: hold.facilityId })
      requireNotExpired(hold, facility, now)
      const carrierName = load.carrierName ?? hold.carrierName
      if (carrierName === null) throw inputError([{ path: 'carrierName', message: 'is required: the hold has none' }])
      const site = await loadSite(tx, { tenantId, facility }, { now, except: [id] })
      const appointment = await bookSlot(tx, site, {
        booking: { ...load, ...inheritRequirements(load, hold), carrierName, type: hold.type },
        plan: planOf(hold, facility, now),
        now,
        id: ctx.ids.uuid(),
        caller: identifyCaller(ctx),
        source: 'hold',
        allowedDoors: site.doors.filter((door) => door.id === hold.doorId),
      })
      await removeHold(tx, id)
      return {
        status: 'success' as const,
        message: `Booked for ${describeSlot(appointment, facility.timeZone)}.`,
        data: presentAppointment(appointment),
      }
    })
  },
})

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

/** A requirement that the confirmation does not give is that of the hold. */
function inheritRequirements(
  { requirements, equipmentHeight }: { requirements?: string[] | null; equipmentHeight?: number | null },
  hold: SlotHoldRecord,
) {
  return {
    requirements: requirements ?? listRequirements(hold),
    equipmentHeight: equipmentHeight ?? hold.equipmentHeight,
  }
}
