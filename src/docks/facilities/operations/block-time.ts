import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { TimeAtFacility } from '../../booking/schemas'
import { Text } from '../../rules/text'
import { FacilityName } from '../../schemas'
import { addBlockedTime, resolveBlockedSpan } from '../rules/blocked-times'
import { DoorNames } from '../schemas'
import {
  changeFacility,
  DryRun,
  FacilityChange,
  formatConflictQuestion,
  requireDoor,
} from '../services/change-facility'
import { blockedTimeFlags, parseFacilityName } from '../services/facility-options'

export const blockTime = operation({
  id: 'facilities.block',
  summary: 'Block hours of some doors or of all, such as for maintenance',
  description:
    'No new appointment overlaps the hours. Appointments in them are not moved; they are listed, and the command asks before it leaves any in conflict.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({
    id: FacilityName,
    from: TimeAtFacility.describe('Start: a time of today, a date and time at the facility, or an instant'),
    to: TimeAtFacility.describe('End; a time alone is on the date of the start'),
    doors: DoorNames.describe('Names of the doors; all if missing'),
    reason: Text.min(1).max(200).optional().describe('The reason, shown with the facility'),
    dryRun: DryRun,
  }),
  output: FacilityChange,
  errors: ['not_found'],
  http: { method: 'post', path: '/api/facilities/{id}/block', extension: true },
  cli: {
    command: 'facility block',
    args: ['id'],
    argumentNames: { id: 'code' },
    flags: blockedTimeFlags,
    confirmDryRun: (answer) => formatConflictQuestion(answer as FacilityChange),
    examples: [
      'studio facility block DC1 --from 2027-03-01T12:00 --to 15:00 --door "Door 1" --reason "Leveler repair"',
      'studio facility block DC1 --from 2027-03-02T06:00 --to 08:00 --dry-run',
    ],
    seeAlso: ['facility unblock', 'facility conflicts', 'facility close'],
  },
  run(ctx: Context & StorageContext, { id, from, to, doors, reason, dryRun }) {
    return changeFacility(ctx, { choice: parseFacilityName(id), dryRun }, (before) => {
      for (const name of doors ?? []) requireDoor(before, name)
      const span = resolveBlockedSpan(before.timeZone, { from, to }, ctx.clock.now())
      const added = { ...span, doors, reason: reason ?? null }
      return { ...before, blockedTimes: addBlockedTime(before.blockedTimes, added) }
    })
  },
})
