import * as z from 'zod'
import { FACILITY_MISSING } from './facility-flag'
import { AppointmentType, CalendarDate, DurationMinutes, FacilityCode, FacilityId, ReferenceNumber } from './schemas'

const equipment = z.string().trim().min(1).max(100).nullish()

/** What a booking asks for. A field that is null is one that is not given. */
export const Booking = z
  .strictObject({
    facilityId: FacilityId.nullish(),
    facilityCode: FacilityCode.nullish(),
    type: AppointmentType.describe('Whether the load is fetched or brought'),
    carrierName: z.string().trim().min(1).max(200).describe('Carrier company name'),
    referenceNumber: ReferenceNumber.describe('PO, BOL or shipment reference, by which it is looked up'),
    targetDate: CalendarDate.describe('Preferred date at the facility'),
    palletCount: z.int().min(0).nullish().describe('Gives the length: 2 minutes each and 20 more, within the limits'),
    durationMinutes: DurationMinutes.nullish().describe('Length in minutes, whatever the pallets would give'),
    weight: z.int().min(0).nullish().describe('Load weight in pounds'),
    loadDescription: z.string().trim().max(2000).nullish().describe('What the cargo is'),
    equipmentId: equipment.describe('Trailer, container or equipment number'),
    trailerId: equipment.describe('Another name for equipmentId'),
  })
  .refine(({ facilityId, facilityCode }) => facilityId != null || facilityCode != null, {
    path: ['facilityId'],
    message: FACILITY_MISSING,
  })
  .refine(({ equipmentId, trailerId }) => equipmentId == null || trailerId == null || equipmentId === trailerId, {
    path: ['trailerId'],
    message: 'is another name for equipmentId and must not differ from it',
  })
export type Booking = z.output<typeof Booking>
