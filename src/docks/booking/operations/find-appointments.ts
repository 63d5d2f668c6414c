import * as z from 'zod'
import { findTenantId } from '../../../access'
import { type Context, inputError, operation } from '../../../kernel'
import { formatDate } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { listAppointments, listFacilities } from '../../queries'
import { getSpanOfDates, isStartWithin, resolveDateRange } from '../../rules/date-range'
import { getLocalDay } from '../../rules/zoned-time'
import { CalendarDate } from '../../schemas'
import { restrictToCaller, showTo } from '../../services/tenant-access'
import { ListedAppointment } from '../schemas'
import { appointmentFilters, filterFlags, filterQuery, toFilter } from '../services/appointment-filters'
import { presentListedAppointment } from '../services/present-appointment'

/** Of all facilities together, because the list has no pages of its own. */
const MAX_DATES = 31

export const findAppointments = operation({
  id: 'appointments.find',
  summary: 'Find appointments at all facilities',
  description:
    'Sorted by start. The dates are those of each facility. Without dates, a reference is searched on all dates, an equipment number and a carrier today and on the next 30 dates, and all else today. For example, gate staff can look up a trailer by its equipment number.',
  effect: 'read',
  access: { docks: 'viewer', carriers: true },
  input: z.strictObject({
    ...appointmentFilters,
    endDate: CalendarDate.optional().describe(
      'Last date; by default today, or 30 days after the first date for an equipment number or a carrier',
    ),
  }),
  output: z.array(ListedAppointment),
  errors: [],
  http: { method: 'get', path: '/api/appointments/find', query: filterQuery, extension: true },
  listOrder: () => ({ id: ({ id }) => id, key: ({ startTime, id }) => [startTime, id] }),
  cli: {
    command: 'appointment find',
    flags: filterFlags,
    examples: [
      'studio appointment find --equipment 53-1042',
      'studio appointment find --carrier "Blue Freight" --from 2027-03-01 --to 2027-03-07 --status scheduled',
      'studio appointment find --reference PO-1001 --json',
    ],
    seeAlso: ['appointment list', 'appointment get', 'facility list'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.read(async (tx) => {
      const tenantId = await findTenantId(ctx, tx)
      const facilities = tenantId === null ? [] : await listFacilities(tx, tenantId, { archived: false })
      // What one looks up at the gate may be of another day.
      const daysAhead = (input.equipmentId ?? input.carrierName) === undefined ? undefined : MAX_DATES - 1
      const found: ListedAppointment[] = []
      for (const facility of facilities) {
        if (restrictToCaller(ctx, facility) === null) continue
        const { id: facilityId, timeZone } = facility
        const dates = resolveDateRange(input, getLocalDay(timeZone, ctx.clock.now()), daysAhead)
        if (dates && dates.last >= dates.first + MAX_DATES) {
          const message = `must not be after ${formatDate(dates.first + MAX_DATES - 1)}: this list covers at most ${MAX_DATES} dates`
          throw inputError([{ path: 'endDate', message }])
        }
        const starting = dates && getSpanOfDates(timeZone, dates)
        const records = await listAppointments(tx, { facilityId, starting, ...toFilter(ctx, input) })
        for (const record of records)
          if (dates === null || isStartWithin(timeZone, dates, record.startAt))
            found.push(presentListedAppointment(showTo(ctx, record), timeZone))
      }
      const keyOf = ({ startTime, id }: ListedAppointment) => `${startTime} ${id}`
      return found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    })
  },
})
