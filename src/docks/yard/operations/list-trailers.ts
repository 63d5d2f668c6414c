import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { listTrailers as readTrailers } from '../../queries'
import { getSpanOfDates, isStartWithin, resolveDateRange } from '../../rules/date-range'
import { getLocalDay } from '../../rules/zoned-time'
import { CalendarDate, FACILITY_REQUIRED, FacilityCode, FacilityId, isFacilityGiven } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { presentTrailer, Trailer, trailerFields } from '../schemas'
import { trailerFieldFlags } from '../services/trailer-options'

export const listTrailers = operation({
  id: 'yard.list',
  summary: 'List the trailers in the yard of a facility, or those that arrived on some dates',
  description:
    'Without dates, lists the trailers that are in the yard now. With dates, lists those that arrived on them, also those that have left. The one that arrived first comes first.',
  effect: 'read',
  access: { docks: 'viewer' },
  input: z
    .strictObject({
      facilityId: FacilityId.optional(),
      facilityCode: FacilityCode.optional(),
      startDate: CalendarDate.optional().describe('First date of arrival at the facility'),
      endDate: CalendarDate.optional().describe('Last date of arrival at the facility'),
      number: trailerFields.number.optional(),
      carrierName: trailerFields.carrierName.optional(),
    })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: z.array(Trailer),
  errors: ['not_found'],
  http: {
    method: 'get',
    path: '/api/trailers',
    query: {
      facility_id: 'facilityId',
      facility_code: 'facilityCode',
      start_date: 'startDate',
      end_date: 'endDate',
      number: 'number',
      carrier_name: 'carrierName',
    },
    extension: true,
  },
  listOrder: () => ({ id: ({ id }) => id, key: ({ arrivedAt, id }) => [arrivedAt, id] }),
  cli: {
    command: 'yard list',
    extraFlags: [facilityFlag],
    flags: {
      ...facilityFieldFlags,
      startDate: { name: 'from', value: 'YYYY-MM-DD' },
      endDate: { name: 'to', value: 'YYYY-MM-DD' },
      carrierName: trailerFieldFlags.carrierName,
    },
    toInput: toFacilityInput,
    out: { about: 'Write the list to this file' },
    examples: [
      'studio yard list --facility DC1',
      'studio yard list --facility DC1 --from 2027-03-01 --to 2027-03-31 --carrier "Blue Freight"',
      'studio yard list --facility DC1 --format csv --out trailers.csv',
    ],
    seeAlso: ['yard board', 'yard get', 'yard import'],
  },
  run(ctx: Context & StorageContext, { facilityId, facilityCode, startDate, endDate, number, carrierName }) {
    return ctx.db.read(async (tx) => {
      const { id, timeZone } = await requireFacility(ctx, tx, { facilityId, facilityCode })
      const now = ctx.clock.now()
      const areDatesGiven = startDate !== undefined || endDate !== undefined
      const dates = areDatesGiven ? resolveDateRange({ startDate, endDate }, getLocalDay(timeZone, now)) : null
      const arriving = dates === null ? undefined : getSpanOfDates(timeZone, dates)
      const found = await readTrailers(tx, { facilityId: id, isPresent: dates === null, arriving, number, carrierName })
      return found
        .filter(({ arrivedAt }) => dates === null || isStartWithin(timeZone, dates, arrivedAt))
        .map((trailer) => presentTrailer(trailer, now))
    })
  },
})
