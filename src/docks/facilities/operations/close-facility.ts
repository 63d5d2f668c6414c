import * as z from 'zod'
import { type Context, inputError, operation } from '../../../kernel'
import { formatDate } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { addClosure, UNTIL_FURTHER_NOTICE } from '../../rules/calendar-date'
import { Text } from '../../rules/text'
import { getLocalDay } from '../../rules/zoned-time'
import { CalendarDate, FacilityName } from '../../schemas'
import { changeFacility, DryRun, FacilityChange, formatConflictQuestion } from '../services/change-facility'
import { parseFacilityName } from '../services/facility-options'

export const closeFacility = operation({
  id: 'facilities.close',
  summary: 'Close a facility for some dates or until it is reopened',
  description:
    'New bookings roll over to later dates or are refused. Appointments on the closed dates are not moved; they are listed, and the command asks before it leaves any in conflict. Move or cancel them together with `appointment clear`.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({
    id: FacilityName,
    from: CalendarDate.optional().describe('First closed date; today at the facility by default'),
    to: CalendarDate.optional().describe(
      'Last closed date. If only from is given, the same date; if neither is given, no end',
    ),
    reason: Text.min(1).max(200).optional().describe('The reason, shown with the facility'),
    dryRun: DryRun,
  }),
  output: FacilityChange,
  errors: ['not_found'],
  http: { method: 'post', path: '/api/facilities/{id}/close', extension: true },
  cli: {
    command: 'facility close',
    args: ['id'],
    argumentNames: { id: 'code' },
    flags: { from: { value: 'YYYY-MM-DD' }, to: { value: 'YYYY-MM-DD' } },
    confirmDryRun: (answer) => formatConflictQuestion(answer as FacilityChange),
    examples: [
      'studio facility close DC1 --from 2027-12-24 --to 2027-12-26 --reason Christmas',
      'studio facility close DC1 --from 2027-12-31 --dry-run',
    ],
    seeAlso: ['facility reopen', 'facility conflicts', 'appointment clear'],
  },
  run(ctx: Context & StorageContext, { id, from, to, reason, dryRun }) {
    return changeFacility(ctx, { choice: parseFacilityName(id), dryRun }, (before) => {
      const first = from ?? formatDate(getLocalDay(before.timeZone, ctx.clock.now()))
      const last = to ?? (from === undefined ? UNTIL_FURTHER_NOTICE : first)
      if (last < first) throw inputError([{ path: 'to', message: `must not be before ${first}` }])
      const closure = { from: first, to: last, reason: reason ?? null }
      return { ...before, closures: addClosure(before.closures, closure) }
    })
  },
})
