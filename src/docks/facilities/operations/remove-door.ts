import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { FACILITY_REQUIRED, isFacilityGiven } from '../../schemas'
import { removeDoorFrom } from '../rules/blocked-times'
import { chooseFacility, numberDoors } from '../rules/facility'
import { doorInput, type FacilityWithDoors } from '../schemas'
import {
  changeFacility,
  DryRun,
  FacilityChange,
  formatConflictQuestion,
  requireDoor,
} from '../services/change-facility'
import { doorCli, doorFieldFlags } from '../services/facility-options'
import { IfRevision } from '../services/facility-revision'

export const removeDoor = operation({
  id: 'doors.remove',
  summary: 'Remove a door from a facility',
  description:
    'Scheduled appointments at the door are not moved; they are listed, and the command asks before it leaves any in conflict. Earlier appointments can still be shown. To stop using a door for a while, make it inactive instead.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z
    .strictObject({ ...doorInput, ifRevision: IfRevision, dryRun: DryRun })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: FacilityChange,
  errors: ['not_found', 'conflict', 'stale_revision'],
  http: {
    method: 'delete',
    path: '/api/doors/{name}',
    query: { facility_id: 'facilityId', facility_code: 'facilityCode', if_revision: 'ifRevision' },
    extension: true,
  },
  cli: {
    command: 'door remove',
    ...doorCli,
    flags: { ...doorFieldFlags, ifRevision: { value: 'revision' } },
    confirmDryRun: (answer) => formatConflictQuestion(answer as FacilityChange),
    examples: [
      'studio door remove --facility DC1 --name Ramp --dry-run',
      'studio door remove --facility DC1 --name Ramp',
    ],
    seeAlso: ['door list', 'door update', 'facility conflicts'],
  },
  run(ctx: Context & StorageContext, { name, dryRun, ifRevision, ...choice }) {
    return changeFacility(ctx, { choice, dryRun, ifRevision }, (before) => {
      const door = requireDoor(before, name)
      requireRemovable(before, name)
      const blockedTimes = removeDoorFrom(before.blockedTimes, name)
      return { ...before, blockedTimes, doors: numberDoors(before.doors.filter(({ id }) => id !== door.id)) }
    })
  },
})

/** A facility needs at least one door, and hours must not lose a door that they name. */
function requireRemovable(facility: FacilityWithDoors, name: string): void {
  const naming = [...facility.queues, ...facility.breaks].filter(({ doors }) => doors?.includes(name))
  const reason =
    facility.doors.length === 1
      ? 'it is the only one'
      : naming.length > 0 && `it is named in the hours ${naming.map((hours) => `"${hours.name}"`).join(', ')}`
  if (!reason) return
  throw new StudioError('conflict', `The door ${name} cannot be removed: ${reason}.`, {
    hint: hint`Make it inactive instead: ${suggest('doors.update', { ...chooseFacility(facility), name, active: false })}`,
  })
}
