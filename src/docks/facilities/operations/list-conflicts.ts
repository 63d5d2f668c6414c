import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { formatDate } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { ListedAppointment } from '../../booking/schemas'
import { findDoors, listSeries, listUnfinishedAppointments, listUnplacedOccurrences } from '../../queries'
import { getLocalDay } from '../../rules/zoned-time'
import { FacilityName } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { conflictReasons } from '../rules/conflicts'
import { ConflictingAppointment, findCurrentConflicts, presentConflicts } from '../services/change-facility'
import { parseFacilityName } from '../services/facility-options'

const ListedConflict = ConflictingAppointment.extend({
  reason: z.enum([...conflictReasons, 'series_not_placed']).describe('Why it could not be booked there now'),
  appointment: ListedAppointment.nullable().describe('Null for a date of a series that has no place'),
  occurrence: z
    .object({ seriesId: z.string(), date: z.string(), carrierName: z.string(), reason: z.string() })
    .optional()
    .describe('The date of a series that has no place, or not the one of the series'),
})

export const listConflicts = operation({
  id: 'facilities.conflicts',
  summary: 'List appointments that no longer fit their facility, and dates of series without a slot',
  description:
    'A change of the facility or its doors causes these conflicts. The appointments keep their time until you reschedule or cancel them. Move a date of a series with series move, or skip it with series skip.',
  effect: 'read',
  access: { docks: 'viewer' },
  isExpensive: true,
  input: z.strictObject({ id: FacilityName }),
  output: z.array(ListedConflict),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/facilities/{id}/conflicts', extension: true },
  listOrder: () => ({
    id: ({ appointment, occurrence }) => appointment?.id ?? `${occurrence?.seriesId} ${occurrence?.date}`,
    // Dates of series come last: `~` is after all digits.
    key: ({ appointment, occurrence }) =>
      appointment ? [appointment.startTime, appointment.id] : ['~', occurrence!.date, occurrence!.seriesId],
  }),
  cli: {
    command: 'facility conflicts',
    args: ['id'],
    argumentNames: { id: 'code' },
    examples: ['studio facility conflicts DC1', 'studio facility conflicts DC1 --json'],
    seeAlso: ['facility update', 'reschedule', 'series move', 'appointment cancel'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.read(async (tx) => {
      const facility = await requireFacility(ctx, tx, parseFacilityName(id))
      const unfinished = await listUnfinishedAppointments(tx, facility.id, ctx.clock.now())
      const conflicts = findCurrentConflicts(unfinished, { ...facility, doors: await findDoors(tx, facility.id) })
      const today = formatDate(getLocalDay(facility.timeZone, ctx.clock.now()))
      const unplaced = await listUnplacedOccurrences(tx, facility.id, today)
      const series = unplaced.length === 0 ? [] : await listSeries(tx, facility.id)
      const carriers = new Map(series.map(({ id, terms }) => [id, terms.carrierName]))
      return [
        ...presentConflicts(conflicts, facility.timeZone),
        ...unplaced.map(({ seriesId, date, reason }) => ({
          reason: 'series_not_placed' as const,
          appointment: null,
          occurrence: { seriesId, date, carrierName: carriers.get(seriesId)!, reason: reason! },
        })),
      ]
    })
  },
})
