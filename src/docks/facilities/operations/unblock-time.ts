import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { TimeAtFacility } from '../../booking/schemas'
import { FacilityName } from '../../schemas'
import { removeBlockedTime, resolveBlockedSpan } from '../rules/blocked-times'
import { DoorNames } from '../schemas'
import { changeFacility, DryRun, FacilityChange, requireDoor } from '../services/change-facility'
import { blockedTimeFlags, parseFacilityName } from '../services/facility-options'

export const unblockTime = operation({
  id: 'facilities.unblock',
  summary: 'Unblock hours of some doors or of all',
  description:
    'Without hours, everything from now on is unblocked. Other hours of a longer blocked time stay blocked. Closures, weekly hours and breaks do not change.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({
    id: FacilityName,
    from: TimeAtFacility.optional().describe('Start: a time of today, a date and time at the facility, or an instant'),
    to: TimeAtFacility.optional().describe('End; a time alone is on the date of the start'),
    doors: DoorNames.describe('Names of the doors; all if missing'),
    dryRun: DryRun,
  }),
  output: FacilityChange,
  errors: ['not_found'],
  http: { method: 'post', path: '/api/facilities/{id}/unblock', extension: true },
  cli: {
    command: 'facility unblock',
    args: ['id'],
    argumentNames: { id: 'code' },
    flags: blockedTimeFlags,
    examples: [
      'studio facility unblock DC1 --door "Door 1"',
      'studio facility unblock DC1 --from 2027-03-01T12:00 --to 15:00',
    ],
    seeAlso: ['facility block', 'facility reopen', 'facility get'],
  },
  run(ctx: Context & StorageContext, { id, from, to, doors, dryRun }) {
    return changeFacility(ctx, { choice: parseFacilityName(id), dryRun }, (before) => {
      for (const name of doors ?? []) requireDoor(before, name)
      const span = resolveBlockedSpan(before.timeZone, { from, to }, ctx.clock.now())
      const names = before.doors.map(({ name }) => name)
      return { ...before, blockedTimes: removeBlockedTime(before.blockedTimes, { ...span, doors }, names) }
    })
  },
})
