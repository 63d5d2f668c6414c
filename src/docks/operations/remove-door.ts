import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../kernel'
import type { StorageContext } from '../../storage'
import { chooseFacility, isFacilityGiven, numberDoors } from '../rules/facility'
import { doorInput, FACILITY_REQUIRED, type FacilityWithDoors } from '../schemas'
import {
  changeFacility,
  DryRun,
  FacilityChange,
  formatConflictQuestion,
  requireDoor,
} from '../services/change-facility'
import { doorCli, doorFieldFlags } from '../services/facility-options'

export const removeDoor = operation({
  id: 'doors.remove',
  summary: 'Remove a door from a facility',
  description:
    'Appointments that stand at it stay and are listed: the command asks first where there are such. What it had before can still be looked up. A door that will be used again is better taken out of use.',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({ ...doorInput, dryRun: DryRun }).refine(isFacilityGiven, FACILITY_REQUIRED),
  output: FacilityChange,
  errors: ['not_found', 'conflict'],
  cli: {
    command: 'door remove',
    ...doorCli,
    flags: doorFieldFlags,
    confirmDryRun: (answer) => formatConflictQuestion(answer as FacilityChange),
    examples: [
      'studio door remove --facility DC1 --name Ramp --dry-run',
      'studio door remove --facility DC1 --name Ramp',
    ],
    seeAlso: ['door list', 'door update', 'facility conflicts'],
  },
  run(ctx: Context & StorageContext, { name, dryRun, ...choice }) {
    return changeFacility(ctx, { choice, dryRun }, (before) => {
      const door = requireDoor(before, name)
      requireRemovable(before, name)
      return { ...before, doors: numberDoors(before.doors.filter(({ id }) => id !== door.id)) }
    })
  },
})

/** A facility has a door, and hours that are for one door alone must not become hours for none. */
function requireRemovable(facility: FacilityWithDoors, name: string): void {
  const naming = [...facility.queues, ...facility.breaks].filter(({ doors }) => doors?.includes(name))
  const why =
    facility.doors.length === 1
      ? 'it is the only one'
      : naming.length > 0 && `it is named in the hours ${naming.map((hours) => `"${hours.name}"`).join(', ')}`
  if (!why) return
  throw new StudioError('conflict', `The door ${name} cannot be removed: ${why}.`, {
    hint: hint`Take it out of use: ${suggest('doors.update', { ...chooseFacility(facility), name, active: false })}`,
  })
}
