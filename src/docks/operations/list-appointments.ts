import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { type AppointmentRecord, listAppointments as readAppointments } from '../queries'
import { getSpanOfDates, isStartWithin, resolveDateRange } from '../rules/date-range'
import { isFacilityGiven } from '../rules/facility'
import { getLocalDay } from '../rules/zoned-time'
import {
  AppointmentStatus,
  CalendarDate,
  FACILITY_REQUIRED,
  FacilityCode,
  FacilityId,
  ListedAppointment,
  ReferenceNumber,
} from '../schemas'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../services/facility-options'
import { presentListedAppointment } from '../services/present-appointment'
import { requireFacility } from '../services/tenant-access'

export const listAppointments = operation({
  id: 'appointments.list',
  summary: 'List the appointments of a facility',
  description:
    'Sorted by start, then by the position of the door; with a reference, the scheduled appointment comes first. An appointment belongs to the date on which it starts at the facility. A reference without dates is searched on all dates.',
  effect: 'read',
  access: 'tenant',
  input: z
    .strictObject({
      facilityId: FacilityId.optional(),
      facilityCode: FacilityCode.optional(),
      referenceNumber: ReferenceNumber.optional().describe('Only appointments with this PO, BOL or shipment reference'),
      startDate: CalendarDate.optional().describe('First date; today by default'),
      endDate: CalendarDate.optional().describe('Last date; by default the later of today and the first date'),
      status: AppointmentStatus.optional().describe('Only appointments in this state'),
    })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: z.array(ListedAppointment),
  errors: ['not_found'],
  http: {
    method: 'get',
    path: '/api/appointments',
    query: {
      facility_id: 'facilityId',
      facility_code: 'facilityCode',
      reference_number: 'referenceNumber',
      start_date: 'startDate',
      end_date: 'endDate',
    },
  },
  // Not by door, because its position may change between two pages.
  listOrder: ({ referenceNumber }) =>
    referenceNumber === undefined
      ? { id: ({ id }) => id, key: ({ startTime }) => [startTime] }
      : { name: 'of a reference', id: ({ id }) => id },
  cli: {
    command: 'appointment list',
    extraFlags: [facilityFlag],
    flags: {
      ...facilityFieldFlags,
      referenceNumber: { name: 'reference', value: 'ref' },
      startDate: { name: 'from', value: 'YYYY-MM-DD' },
      endDate: { name: 'to', value: 'YYYY-MM-DD' },
    },
    toInput: toFacilityInput,
    out: { about: 'write the list to this file' },
    examples: [
      'studio appointment list --facility DC1',
      'studio appointment list --facility DC1 --from 2027-03-01 --to 2027-03-05 --status scheduled',
      'studio appointment list --facility DC1 --reference PO-1001 --json',
      'studio appointment list --facility DC1 --from 2027-03-01 --to 2027-03-31 --format ics --out docks.ics',
    ],
    seeAlso: ['book', 'appointment get', 'reschedule', 'appointment cancel'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.read(async (tx) => {
      const { id: facilityId, timeZone } = await requireFacility(ctx, tx, input)
      const dates = resolveDateRange(input, getLocalDay(timeZone, ctx.clock.now()))
      const records = await readAppointments(tx, {
        facilityId,
        starting: dates && getSpanOfDates(timeZone, dates),
        referenceNumber: input.referenceNumber ?? null,
        status: input.status ?? null,
      })
      const listed = dates ? records.filter(({ startAt }) => isStartWithin(timeZone, dates, startAt)) : records
      const ordered = input.referenceNumber === undefined ? listed : sortScheduledFirst(listed)
      return ordered.map((record) => presentListedAppointment(record, timeZone))
    })
  },
})

/** A caller that looks up a reference wants its scheduled appointment. There is at most one. */
function sortScheduledFirst(records: readonly AppointmentRecord[]): AppointmentRecord[] {
  const isScheduled = ({ status }: AppointmentRecord) => status === 'scheduled'
  return [...records.filter(isScheduled), ...records.filter((record) => !isScheduled(record))]
}
