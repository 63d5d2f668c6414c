import * as z from 'zod'
import { isFacilityGiven } from './rules/facility-choice'
import {
  AppointmentType,
  CalendarDate,
  DurationMinutes,
  FacilityCode,
  FacilityId,
  ReferenceNumber,
  Text,
} from './schemas'
import { FACILITY_REQUIRED } from './services/facility-flag'

const equipment = Text.min(1).max(100).nullish()

/** Whether the two names of the trailer, container or equipment number do not contradict each other. */
export function hasOneEquipmentId(asked: { equipmentId?: string | null; trailerId?: string | null }): boolean {
  return asked.equipmentId == null || asked.trailerId == null || asked.equipmentId === asked.trailerId
}

export const EQUIPMENT_ID_MISMATCH = {
  path: ['trailerId'],
  message: 'is another name for equipmentId and must not differ from it',
  when: () => true,
}

/** What a booking asks for. A field that is null is one that is not given. */
export const Booking = z
  .strictObject({
    facilityId: FacilityId.nullish(),
    facilityCode: FacilityCode.nullish(),
    type: AppointmentType.describe('Whether the load is fetched or brought'),
    carrierName: Text.min(1).max(200).describe('Carrier company name'),
    referenceNumber: ReferenceNumber.describe('PO, BOL or shipment reference, by which it is looked up'),
    targetDate: CalendarDate.describe('Preferred date at the facility'),
    palletCount: z.int().min(0).nullish().describe('Gives the length: 2 minutes each and 20 more, within the limits'),
    durationMinutes: DurationMinutes.nullish().describe('Length in minutes, whatever the pallets would give'),
    weight: z.int().min(0).nullish().describe('Load weight in pounds'),
    loadDescription: Text.max(2000).nullish().describe('What the cargo is'),
    equipmentId: equipment.describe('Trailer, container or equipment number'),
    trailerId: equipment.describe('Another name for equipmentId'),
  })
  .refine(isFacilityGiven, FACILITY_REQUIRED)
  .refine(hasOneEquipmentId, EQUIPMENT_ID_MISMATCH)
export type Booking = z.output<typeof Booking>
