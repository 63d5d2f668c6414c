import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { FACILITY_REQUIRED, isFacilityGiven, Name } from '../../schemas'
import { insertDoorAt, renameDoor } from '../rules/facility'
import { DoorTypes, doorFeatures, doorInput } from '../schemas'
import {
  changeFacility,
  DryRun,
  FacilityChange,
  formatConflictQuestion,
  requireDoor,
} from '../services/change-facility'
import { doorCli, doorFieldFlags, toFacilityInput } from '../services/facility-options'
import { IfRevision } from '../services/facility-revision'

export const updateDoor = operation({
  id: 'doors.update',
  summary: 'Change the name, position, types or use of a door',
  description:
    'A new name also applies to the hours that name the door. Appointments that no longer fit the door are not moved; they are listed, and the command asks before it leaves any in conflict.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z
    .strictObject({
      ...doorInput,
      newName: Name.optional().describe('A new name'),
      types: DoorTypes.optional(),
      features: doorFeatures.features.optional(),
      maxHeight: doorFeatures.maxHeight.optional(),
      position: z.int().min(1).max(1000).optional().describe('Position among the doors: the first free one is booked'),
      active: z.boolean().optional().describe('Whether appointments can be booked at it'),
      ifRevision: IfRevision,
      dryRun: DryRun,
    })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: FacilityChange,
  errors: ['not_found', 'conflict', 'stale_revision'],
  http: { method: 'patch', path: '/api/doors/{name}', extension: true },
  cli: {
    command: 'door update',
    ...doorCli,
    toInput: (typed) => toFacilityInput(typed['maxHeight'] === '0' ? { ...typed, maxHeight: null } : typed),
    flags: {
      ...doorFieldFlags,
      newName: { name: 'rename', value: 'name' },
      types: { value: 'type' },
      features: { value: 'feature', about: 'What the door can handle, such as reefer; "" for nothing' },
      maxHeight: { value: 'inches', about: 'Maximum trailer height in inches; 0 for any' },
      active: { about: 'Accept bookings at the door again' },
      ifRevision: { value: 'revision' },
    },
    extraFlags: [
      ...doorCli.extraFlags,
      { flag: '--no-active', about: 'Accept no more bookings at the door', standsFor: ['active'] },
    ],
    confirmDryRun: (answer) => formatConflictQuestion(answer as FacilityChange),
    examples: [
      'studio door update --facility DC1 --name "Door 3" --no-active',
      'studio door update --facility DC1 --name "Door 3" --active --types delivery --position 1 --rename Ramp3',
    ],
    seeAlso: ['door list', 'door remove', 'facility conflicts'],
  },
  run(
    ctx: Context & StorageContext,
    { name, newName, position, dryRun, ifRevision, types, active, features, maxHeight, ...choice },
  ) {
    return changeFacility(ctx, { choice, dryRun, ifRevision }, (before) => {
      const was = requireDoor(before, name)
      const door = {
        ...was,
        types: types ?? was.types,
        active: active ?? was.active,
        features: features ?? was.features,
        maxHeight: maxHeight === undefined ? was.maxHeight : maxHeight,
      }
      const doors = insertDoorAt(before.doors, door, position ?? before.doors.indexOf(was) + 1)
      return renameDoor({ ...before, doors }, name, newName ?? name)
    })
  },
})
