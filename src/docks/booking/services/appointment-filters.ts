import * as z from 'zod'
import type { Context } from '../../../kernel'
import type { AppointmentFilter } from '../../queries'
import { Text } from '../../rules/text'
import { AppointmentType, CalendarDate } from '../../schemas'
import { getCarrier } from '../../services/tenant-access'
import { AppointmentStatus, ReferenceNumber } from '../schemas'
import { bookingFlags } from './booking-flags'

/** What lists of appointments can be narrowed down to. */
export const appointmentFilters = {
  referenceNumber: ReferenceNumber.optional().describe('Only appointments with this PO, BOL or shipment reference'),
  startDate: CalendarDate.optional().describe('First date; today by default'),
  endDate: CalendarDate.optional().describe('Last date; by default the later of today and the first date'),
  status: AppointmentStatus.optional().describe('Only appointments in this state'),
  type: AppointmentType.optional().describe('Only appointments of this type'),
  carrierName: Text.max(200).optional().describe('Only appointments of this carrier'),
  equipmentId: Text.max(100).optional().describe('Only appointments with this trailer, container or equipment number'),
  updatedSince: z.iso
    .datetime({ offset: true, error: 'must be a time such as 2027-03-01T12:00:00Z' })
    .optional()
    .describe('Only appointments that were booked or changed at this time or later'),
}
const Filters = z.object(appointmentFilters)
export type AppointmentFilters = z.output<typeof Filters>

/** Their names in a query. */
export const filterQuery = {
  reference_number: 'referenceNumber',
  start_date: 'startDate',
  end_date: 'endDate',
  carrier_name: 'carrierName',
  equipment_id: 'equipmentId',
  updated_since: 'updatedSince',
}

export const filterFlags = {
  ...bookingFlags,
  startDate: { name: 'from', value: 'YYYY-MM-DD' },
  endDate: { name: 'to', value: 'YYYY-MM-DD' },
  updatedSince: { value: 'time' },
} as const

/** The filter without its facility and its dates. A carrier sees its own appointments only. */
export function toFilter(
  ctx: Pick<Context, 'actor'>,
  { referenceNumber, status, type, carrierName, equipmentId, updatedSince }: AppointmentFilters,
): Omit<AppointmentFilter, 'facilityId' | 'starting'> {
  return {
    referenceNumber: referenceNumber ?? null,
    status: status ?? null,
    type: type ?? null,
    carrierNames: [getCarrier(ctx), carrierName].filter((name) => name != null),
    equipmentId: equipmentId ?? null,
    changedSince: updatedSince === undefined ? null : Date.parse(updatedSince),
  }
}
