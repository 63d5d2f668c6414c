import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { requireFutureDay, resolveMinutes } from '../../booking/rules/booking-rules'
import { toWaitingLoad } from '../../booking/rules/load'
import { bookingFields } from '../../booking/schemas'
import { findRequestedDoors } from '../../booking/services/find-place'
import { resolveCustomValues } from '../../facilities/rules/custom-fields'
import { facilityFlag, seriesFlags, toFacilityInput } from '../../facilities/services/facility-options'
import { findDoors, insertSeries } from '../../queries'
import { Text } from '../../rules/text'
import { CalendarDate, FACILITY_REQUIRED, isFacilityGiven } from '../../schemas'
import { lockFacility, writeAppointments } from '../../services/tenant-access'
import { SeriesAnswer, seriesFields } from '../schemas'
import { answerWithSeries, materialize } from '../services/series'

export const createSeries = operation({
  id: 'series.create',
  summary: 'Create a series: an appointment every week or every other week',
  description:
    'Books the dates of the next days, each at the same local time, even when the clocks change. A date without a free slot is recorded with the reason, and series materialize tries it again.',
  effect: 'write',
  access: { docks: 'clerk' },
  input: z
    .strictObject({
      facilityId: bookingFields.facilityId,
      facilityCode: bookingFields.facilityCode,
      type: bookingFields.type,
      referencePrefix: Text.min(1)
        .max(180)
        .describe('The reference of each appointment is this, a hyphen and its date'),
      firstDate: CalendarDate.describe('The series begins on this date or on its first weekday after it'),
      ...seriesFields,
      everyWeeks: seriesFields.everyWeeks.default(1),
      holidayPolicy: seriesFields.holidayPolicy.default('skip'),
      aheadDays: seriesFields.aheadDays.default(28),
    })
    .refine(isFacilityGiven, FACILITY_REQUIRED)
    .refine(({ firstDate, lastDate }) => lastDate == null || firstDate <= lastDate, {
      path: ['lastDate'],
      message: 'must not be before firstDate',
    }),
  output: SeriesAnswer,
  errors: ['not_found', 'date_in_past'],
  http: { method: 'post', path: '/api/series', extension: true },
  cli: {
    command: 'series create',
    extraFlags: [facilityFlag],
    flags: {
      ...seriesFlags,
      referencePrefix: { name: 'reference', value: 'prefix' },
      firstDate: { name: 'from', value: 'YYYY-MM-DD' },
    },
    toInput: toFacilityInput,
    examples: [
      'studio series create --facility DC1 --type delivery --carrier "Blue Freight" --lane Dallas-Memphis --reference BLUE --days tue thu --at 09:00 --pallets 20 --from 2027-03-01',
      'studio series create --facility DC1 --type pickup --carrier "Acme" --reference ACME --days mon --every-weeks 2 --at 14:00 --from 2027-03-01 --until 2027-12-31 --holiday-policy next-open-day',
    ],
    seeAlso: ['series get', 'series list', 'series materialize', 'book'],
  },
  run(ctx: Context & StorageContext, { facilityId, facilityCode, ...input }) {
    return writeAppointments(ctx, async (tx) => {
      const now = ctx.clock.now()
      const { tenantId, ...facility } = await lockFacility(ctx, tx, { facilityId, facilityCode })
      requireFutureDay(facility, { path: 'firstDate', date: input.firstDate }, now)
      resolveMinutes(facility, input)
      const doors = await findDoors(tx, facility.id)
      const door = input.doorId == null ? null : findRequestedDoors({ facility, doors }, input.doorId)[0]!
      const terms = {
        ...input,
        doorId: door?.id ?? null,
        lane: input.lane ?? null,
        lastDate: input.lastDate ?? null,
        durationMinutes: input.durationMinutes ?? null,
        ...toWaitingLoad({ ...input, ...resolveCustomValues(facility, input, null) }),
      }
      const series = { id: ctx.ids.uuid(), facilityId: facility.id, terms }
      await insertSeries(tx, series, { tenantId, createdAt: now })
      await materialize(ctx, tx, { tenantId, facility, series })
      return answerWithSeries(ctx, tx, series.id, 'Created')
    })
  },
})
