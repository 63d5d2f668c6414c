import * as z from 'zod'
import { type Context, inputError, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { type DateSpan, findClosedUntil, formatDate, removeDates } from '../rules/calendar-date'
import { dayAt } from '../rules/zoned-time'
import { CalendarDate, FacilityName, type FacilityWithDoors } from '../schemas'
import { changeFacility, DryRun, FacilityChange } from '../services/change-facility'
import { parseFacilityName } from '../services/facility-options'

export const reopenFacility = operation({
  id: 'facilities.reopen',
  summary: 'Open a facility again on dates that were closed',
  description:
    'Without dates it opens from today to the end of the closure that it is in. Of a longer closure what lies before and after the dates stays closed. Weekly hours and breaks are as they were.',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({
    id: FacilityName,
    from: CalendarDate.optional().describe('First date to open'),
    to: CalendarDate.optional().describe('Last date to open; the first where only that is given'),
    dryRun: DryRun,
  }),
  output: FacilityChange,
  errors: ['not_found'],
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

/** Null where it is open today already, and no dates were given. */
function resolveDates(asked: Partial<DateSpan>, facility: FacilityWithDoors, now: number): DateSpan | null {
  const today = dayAt(facility.timeZone, now)
  const from = asked.from ?? formatDate(today)
  const to = asked.to ?? asked.from ?? findClosedUntil(facility.closures, today)
  if (to !== null && to < from) throw inputError([{ path: 'to', message: `must not be before ${from}` }])
  return to === null ? null : { from, to }
}
