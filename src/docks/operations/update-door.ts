import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { insertDoorAt, isFacilityGiven, renameDoor } from '../rules/facility'
import { DoorTypes, doorInput, FACILITY_REQUIRED, Name } from '../schemas'
import {
  changeFacility,
  DryRun,
  FacilityChange,
  formatConflictQuestion,
  requireDoor,
} from '../services/change-facility'
import { doorCli, doorFieldFlags } from '../services/facility-options'

export const updateDoor = operation({
  id: 'doors.update',
  summary: 'Change a door: its name, its place, what it takes, whether it is in use',
  description:
    'Hours that name the door follow a new name. Appointments that the door no longer takes stay at it and are listed: the command asks first where there are such.',
  effect: 'write',
  access: 'admin',
  input: z
    .strictObject({
      ...doorInput,
      newName: Name.optional().describe('A new name'),
      types: DoorTypes.optional(),
      position: z
        .int()
        .min(1)
        .max(1000)
        .optional()
        .describe('Its place among the doors: of two that are free the first is taken'),
      active: z.boolean().optional().describe('Whether appointments may be booked at it'),
      dryRun: DryRun,
    })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: FacilityChange,
  errors: ['not_found', 'conflict'],
  cli: {
    command: 'door update',
    ...doorCli,
    flags: {
      ...doorFieldFlags,
      newName: { name: 'rename', value: 'name' },
      types: { value: 'type' },
      active: { about: 'take appointments at it again' },
    },
    extraFlags: [
      ...doorCli.extraFlags,
      { flag: '--no-active', about: 'book nothing more at it', standsFor: ['active'] },
    ],
    confirmDryRun: (answer) => formatConflictQuestion(answer as FacilityChange),
    examples: [
      'studio door update --facility DC1 --name "Door 3" --no-active',
      'studio door update --facility DC1 --name "Door 3" --active --types delivery --position 1 --rename Ramp3',
    ],
    seeAlso: ['door list', 'door remove', 'facility conflicts'],
  },
  run(ctx: Context & StorageContext, { name, newName, types, position, active, dryRun, ...choice }) {
    return changeFacility(ctx, { choice, dryRun }, (before) => {
      const was = requireDoor(before, name)
      const door = { ...was, types: types ?? was.types, active: active ?? was.active }
      const doors = insertDoorAt(before.doors, door, position ?? before.doors.indexOf(was) + 1)
      return renameDoor({ ...before, doors }, name, newName ?? name)
    })
  },
})
