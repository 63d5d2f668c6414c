import * as z from 'zod'
import { type Context, inputError, operation } from '../../../kernel'
import { formatDate } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { type DateSpan, findClosedUntil, removeDates } from '../../rules/calendar-date'
import { getLocalDay } from '../../rules/zoned-time'
import { CalendarDate, FacilityName } from '../../schemas'
import type { FacilityWithDoors } from '../schemas'
import { changeFacility, DryRun, FacilityChange } from '../services/change-facility'
import { parseFacilityName } from '../services/facility-options'

export const reopenFacility = operation({
  id: 'facilities.reopen',
  summary: 'Open a facility again on dates that were closed',
  description:
    'Without dates, the facility opens from today to the end of the current closure. Other dates of a longer closure stay closed. Weekly hours and breaks do not change.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({
    id: FacilityName,
    from: CalendarDate.optional().describe('First date to open'),
    to: CalendarDate.optional().describe('Last date to open; the same as from if only that is given'),
    dryRun: DryRun,
  }),
  output: FacilityChange,
  errors: ['not_found'],
  http: { method: 'post', path: '/api/facilities/{id}/reopen', extension: true },
  cli: {
    command: 'facility reopen',
    args: ['id'],
    argumentNames: { id: 'code' },
    flags: { from: { value: 'YYYY-MM-DD' }, to: { value: 'YYYY-MM-DD' } },
    examples: ['studio facility reopen DC1', 'studio facility reopen DC1 --from 2027-12-24'],
    seeAlso: ['facility close', 'facility get'],
  },
  run(ctx: Context & StorageContext, { id, from, to, dryRun }) {
    return changeFacility(ctx, { choice: parseFacilityName(id), dryRun }, (before) => {
      const dates = resolveDates({ from, to }, before, ctx.clock.now())
      return dates ? { ...before, closures: removeDates(before.closures, dates) } : before
    })
  },
})

/** Null if no dates are given and the facility is already open today. */
function resolveDates(requested: Partial<DateSpan>, facility: FacilityWithDoors, now: number): DateSpan | null {
  const today = getLocalDay(facility.timeZone, now)
  const from = requested.from ?? formatDate(today)
  const to = requested.to ?? requested.from ?? findClosedUntil(facility.closures, today)
  if (to !== null && to < from) throw inputError([{ path: 'to', message: `must not be before ${from}` }])
  return to === null ? null : { from, to }
}
