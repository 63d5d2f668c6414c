import * as z from 'zod'
import { type Context, inputError, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { removeEntryOfHold, type SlotHoldRecord } from '../queries'
import { type LoadRequirements, listRequirements } from '../rules/load'
import {
  BookedAppointment,
  bookingFields,
  EQUIPMENT_ID_MISMATCH,
  hasOneEquipmentId,
  loadFields,
  SlotHoldId,
  Success,
} from '../schemas'
import type { BookingRequest } from '../services/booking'
import { requirementFlags } from '../services/facility-options'
import { bookHeldSlot } from '../services/held-slots'
import { describeSlot, presentAppointment } from '../services/present-appointment'
import { lockHold, requireFacility, resolveCarrier, writeAppointments } from '../services/tenant-access'

const { durationMinutes: _, ...fieldsOfLoad } = loadFields

export const confirmHold = operation({
  id: 'holds.confirm',
  summary: 'Book the slot of a hold',
  description:
    'Books exactly the held slot and ends the hold. Refused if the hold has expired. A change of the facility ends the holds that it cannot accept any more.',
  effect: 'write',
  access: 'carrier',
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
      pieceCount: { name: 'pieces' },
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
      const { hold, tenantId } = await lockHold(ctx, tx, id)
      const facility = await requireFacility(ctx, tx, { facilityId: hold.facilityId })
      const carrierName = resolveCarrier(ctx, load.carrierName ?? hold.carrierName)
      if (carrierName === null) throw inputError([{ path: 'carrierName', message: 'is required: the hold has none' }])
      const booking = { ...load, ...inheritLoad(load, hold), carrierName, type: hold.type }
      const appointment = await bookHeldSlot(ctx, tx, { tenantId, facility, hold }, booking)
      await removeEntryOfHold(tx, id)
      return {
        status: 'success' as const,
        message: `Booked for ${describeSlot(appointment, facility.timeZone)}.`,
        data: presentAppointment(appointment),
      }
    })
  },
})

/** What the confirmation does not say of the load is that of the hold. */
function inheritLoad(
  { palletCount, requirements, equipmentHeight }: Pick<BookingRequest, 'palletCount' | keyof LoadRequirements>,
  hold: SlotHoldRecord,
) {
  return {
    palletCount: palletCount ?? hold.palletCount,
    requirements: requirements ?? listRequirements(hold),
    equipmentHeight: equipmentHeight ?? hold.equipmentHeight,
  }
}
