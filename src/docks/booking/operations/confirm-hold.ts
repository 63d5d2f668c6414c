import * as z from 'zod'
import { type Context, hint, inputError, operation, StudioError, suggest } from '../../../kernel'
import { formatInstant, MINUTE_MS } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { applyVerdict, bookChecked, requireVerdict } from '../../checks/services/checked-booking'
import { resolveCustomValues } from '../../facilities/rules/custom-fields'
import type { Facility } from '../../facilities/rules/facility'
import { findWaitlistEntryOfHold } from '../../queries'
import { Success } from '../../schemas'
import { lockHold, requireFacility, resolveCarrier, writeAppointments } from '../../services/tenant-access'
import { removeEntry } from '../../waitlist/services/waitlist'
import { presentLoad, resolveEquipment, toWaitingLoad } from '../rules/load'
import { EQUIPMENT_ID_MISMATCH, equipmentAlias, hasOneEquipmentId, loadChange } from '../rules/load-schemas'
import { resolveReferences } from '../rules/references'
import { BookedAppointment, bookingFields, SlotHoldId } from '../schemas'
import { bookingFlags } from '../services/booking-flags'
import { bookHeldSlot } from '../services/held-slots'
import { describeSlot, presentAppointment } from '../services/present-appointment'

export const confirmHold = operation({
  id: 'holds.confirm',
  summary: 'Book the slot of a hold',
  description:
    'Books exactly the held slot and ends the hold. Refused if the hold has expired. A change of the facility ends the holds that it can no longer accept.',
  effect: 'write',
  access: { docks: 'clerk', carriers: true },
  input: z
    .strictObject({
      id: SlotHoldId,
      carrierName: bookingFields.carrierName
        .nullish()
        .describe('Carrier company name; required unless the hold has one'),
      referenceNumber: bookingFields.referenceNumber,
      references: bookingFields.references,
      ...loadChange,
      ...equipmentAlias,
    })
    .refine(hasOneEquipmentId, EQUIPMENT_ID_MISMATCH),
  output: Success.extend({ data: BookedAppointment }),
  errors: ['not_found', 'invalid_state', 'duplicate_reference', 'slot_unavailable', 'booking_refused', 'unavailable'],
  http: { method: 'post', path: '/api/holds/{id}/confirm', extension: true },
  cli: {
    command: 'hold confirm',
    args: ['id'],
    argumentNames: { id: 'holdId' },
    flags: bookingFlags,
    examples: ['studio hold confirm 7d0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --carrier "Blue Freight" --reference PO-1005'],
    seeAlso: ['hold create', 'hold release', 'book'],
  },
  run(ctx: Context & StorageContext, { id, ...load }) {
    return bookChecked(ctx, (verdict) =>
      writeAppointments(ctx, async (tx) => {
        const { hold, tenantId } = await lockHold(ctx, tx, id)
        const facility = await requireFacility(ctx, tx, { facilityId: hold.facilityId })
        const carrierName = resolveCarrier(ctx, load.carrierName ?? hold.carrierName)
        if (carrierName === null) throw inputError([{ path: 'carrierName', message: 'is required: the hold has none' }])
        // What the confirmation does not say of the load is that of the hold, and of the entry of the waitlist to which it is offered.
        const entry = await findWaitlistEntryOfHold(tx, id)
        const waited = entry?.request
        const known = { ...presentLoad(hold), ...waited }
        const { referenceNumber, references = known.references } = load
        const waiting = { ...toWaitingLoad(resolveEquipment(load), known), type: hold.type }
        const requested = resolveReferences({ ...waiting, referenceNumber, references })
        const given = {
          type: hold.type,
          customFields: load.customFields ?? undefined,
          siteFields: load.siteFields ?? undefined,
        }
        const before = waited ? { customFields: waited.customFields ?? {}, siteFields: waited.siteFields ?? {} } : null
        const minutes = (hold.endAt - hold.startAt) / MINUTE_MS
        const place = { durationMinutes: minutes, startTime: formatInstant(hold.startAt), doorId: hold.doorId }
        const request = { ...requested, ...resolveCustomValues(facility, given, before), carrierName, ...place }
        await requireVerdict(tx, facility, { verdict, request })
        const { durationMinutes, ...booking } = applyVerdict(request, verdict)
        if (durationMinutes !== minutes) throw wrongLengthError(facility, { minutes, durationMinutes })
        const note = verdict?.note ?? null
        const appointment = await bookHeldSlot(ctx, tx, { tenantId, facility, hold, note }, booking)
        if (entry) await removeEntry(ctx, tx, { tenantId, facility }, { entry, cause: 'accepted' })
        return {
          status: 'success' as const,
          message: `Booked for ${describeSlot(appointment, facility.timeZone)}.`,
          data: presentAppointment(appointment),
        }
      }),
    )
  },
})

function wrongLengthError(
  facility: Facility,
  { minutes, durationMinutes }: { minutes: number; durationMinutes: number },
): StudioError {
  const message = `${facility.code} asks for ${durationMinutes} minutes, but the held slot has ${minutes}.`
  return new StudioError('booking_refused', message, {
    hint: hint`Release the hold, and book: ${suggest('appointments.book')}`,
  })
}
