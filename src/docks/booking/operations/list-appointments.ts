import * as z from 'zod'
import { type Context, type ListWindow, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { type AppointmentRecord, listAppointmentStarts, listAppointments as readAppointments } from '../../queries'
import { getSpanOfDates, isStartWithin, resolveDateRange } from '../../rules/date-range'
import { getLocalDay } from '../../rules/zoned-time'
import { FACILITY_REQUIRED, FacilityCode, FacilityId, isFacilityGiven } from '../../schemas'
import { requireFacility, showTo } from '../../services/tenant-access'
import { ListedAppointment } from '../schemas'
import { appointmentFilters, filterFlags, filterQuery, toFilter } from '../services/appointment-filters'
import { presentListedAppointment } from '../services/present-appointment'

const ListInput = z
  .strictObject({ facilityId: FacilityId.optional(), facilityCode: FacilityCode.optional(), ...appointmentFilters })
  .refine(isFacilityGiven, FACILITY_REQUIRED)
type ListInput = z.output<typeof ListInput>

export const listAppointments = operation({
  id: 'appointments.list',
  summary: 'List the appointments of a facility',
  description:
    'Sorted by start, then by the position of the door; with a reference, the scheduled appointment comes first. An appointment belongs to the date on which it starts at the facility. A reference without dates is searched on all dates.',
  effect: 'read',
  access: { docks: 'viewer', carriers: true },
  input: ListInput,
  output: z.array(ListedAppointment),
  errors: ['not_found'],
  http: {
    method: 'get',
    path: '/api/appointments',
    query: { facility_id: 'facilityId', facility_code: 'facilityCode', ...filterQuery },
  },
  // Not by door, because its position may change between two pages.
  listOrder: ({ referenceNumber }) =>
    referenceNumber === undefined
      ? { id: ({ id }) => id, key: ({ startTime }) => [startTime] }
      : { name: 'of a reference', id: ({ id }) => id },
  cli: {
    command: 'appointment list',
    extraFlags: [facilityFlag],
    flags: filterFlags,
    toInput: toFacilityInput,
    out: { about: 'Write the list to this file' },
    examples: [
      'studio appointment list --facility DC1',
      'studio appointment list --facility DC1 --from 2027-03-01 --to 2027-03-05 --status scheduled',
      'studio appointment list --facility DC1 --reference PO-1001 --json',
      'studio appointment list --facility DC1 --from 2027-03-01 --carrier "Blue Freight" --type delivery',
      'studio appointment list --facility DC1 --from 2027-03-01 --to 2027-03-31 --format ics --out docks.ics',
    ],
    seeAlso: ['appointment find', 'book', 'appointment get', 'reschedule', 'appointment cancel'],
  },
  async run(ctx: Context & StorageContext, input) {
    return (await readList(ctx, input, null)).entries
  },
  readWindow: readList,
})

async function readList(ctx: Context & StorageContext, input: ListInput, window: ListWindow | null) {
  return ctx.db.read(async (tx) => {
    const { id: facilityId, timeZone } = await requireFacility(ctx, tx, input)
    const dates = resolveDateRange(input, getLocalDay(timeZone, ctx.clock.now()))
    const filter = { facilityId, starting: dates && getSpanOfDates(timeZone, dates), ...toFilter(ctx, input) }
    const isListed = (startAt: number) => dates === null || isStartWithin(timeZone, dates, startAt)
    const present = (records: readonly AppointmentRecord[]) =>
      records.map((record) => presentListedAppointment(showTo(ctx, record), timeZone))
    if (window !== null && filter.starting !== null && input.referenceNumber === undefined) {
      const starts = (await listAppointmentStarts(tx, filter)).filter(isListed).sort((a, b) => a - b)
      const [fromKey] = window.from ?? []
      const from = fromKey === undefined ? filter.starting.from : Date.parse(String(fromKey))
      // The starts bound the window, because records that are not on the dates must not take its places.
      const first = starts.findIndex((startAt) => startAt >= from)
      const page = first < 0 ? [] : starts.slice(first, first + window.count)
      if (page.length === 0) return { entries: [], total: starts.length }
      const starting = { from: page[0]!, to: page.at(-1)! + 1 }
      const records = await readAppointments(tx, { ...filter, starting })
      const entries = records.filter(({ startAt }) => isListed(startAt)).slice(0, window.count)
      return { entries: present(entries), total: starts.length }
    }
    const listed = (await readAppointments(tx, filter)).filter(({ startAt }) => isListed(startAt))
    const ordered = input.referenceNumber === undefined ? listed : sortScheduledFirst(listed)
    return { entries: present(ordered), total: ordered.length }
  })
}

/** A caller that looks up a reference wants its scheduled appointment. There is at most one. */
function sortScheduledFirst(records: readonly AppointmentRecord[]): AppointmentRecord[] {
  const isScheduled = ({ status }: AppointmentRecord) => status === 'scheduled'
  return [...records.filter(isScheduled), ...records.filter((record) => !isScheduled(record))]
}
