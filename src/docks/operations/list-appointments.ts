import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { type AppointmentRecord, listAppointments as readAppointments } from '../queries'
import { isStartWithin, resolveDateRange, spanOfDates } from '../rules/date-range'
import { isFacilityGiven } from '../rules/facility'
import { dayAt } from '../rules/zoned-time'
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
    'By start, then by the position of the door; of a reference the scheduled appointment first. An appointment belongs to the date on which it starts at the facility. A reference without dates is searched on all of them.',
  effect: 'read',
  access: 'tenant',
  input: z
    .strictObject({
      facilityId: FacilityId.optional(),
      facilityCode: FacilityCode.optional(),
      referenceNumber: ReferenceNumber.optional().describe('Only the one with this PO, BOL or shipment reference'),
      startDate: CalendarDate.optional().describe('First date; today where absent'),
      endDate: CalendarDate.optional().describe('Last date; the later of today and the first where absent'),
      status: AppointmentStatus.optional().describe('Only those in this state'),
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
  // Not by door: its position may change between two pages.
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
    out: { about: 'write it to this file' },
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
      const dates = resolveDateRange(input, dayAt(timeZone, ctx.clock.now()))
      const records = await readAppointments(tx, {
        facilityId,
        starting: dates && spanOfDates(timeZone, dates),
        referenceNumber: input.referenceNumber ?? null,
        status: input.status ?? null,
      })
      const listed = dates ? records.filter(({ startAt }) => isStartWithin(timeZone, dates, startAt)) : records
      const ordered = input.referenceNumber === undefined ? listed : sortScheduledFirst(listed)
      return ordered.map((record) => presentListedAppointment(record, timeZone))
    })
  },
})

/** A caller that looks up a reference wants the appointment that is to come; a reference has one such at most. */
function sortScheduledFirst(records: readonly AppointmentRecord[]): AppointmentRecord[] {
  const isScheduled = ({ status }: AppointmentRecord) => status === 'scheduled'
  return [...records.filter(isScheduled), ...records.filter((record) => !isScheduled(record))]
}
