import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { FACILITY_REQUIRED, isFacilityGiven } from '../../schemas'
import { chooseFacility, insertDoorAt } from '../rules/facility'
import { DoorTypes, doorFeatures, doorInput } from '../schemas'
import { changeFacility, DryRun, FacilityChange } from '../services/change-facility'
import { doorCli, doorFieldFlags } from '../services/facility-options'

export const addDoor = operation({
  id: 'doors.add',
  summary: 'Add a door to a facility',
  description:
    'The new door comes last unless a position is given. Adding a door with the name of a removed door restores it with its appointments.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z
    .strictObject({
      ...doorInput,
      types: DoorTypes.default(['pickup', 'delivery']),
      features: doorFeatures.features.default([]),
      maxHeight: doorFeatures.maxHeight.default(null),
      position: z.int().min(1).max(1000).optional().describe('Position among the doors; the last by default'),
      dryRun: DryRun,
    })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: FacilityChange,
  errors: ['not_found', 'conflict'],
  http: { method: 'post', path: '/api/doors', extension: true },
  cli: {
    command: 'door add',
    ...doorCli,
    flags: {
      ...doorFieldFlags,
      types: { value: 'type' },
      features: { value: 'feature' },
      maxHeight: { value: 'inches', about: 'Maximum trailer height in inches; any if missing' },
    },
    examples: [
      'studio door add --facility DC1 --name "Door 3"',
      'studio door add --facility DC1 --name "Ramp" --types pickup --position 1',
      'studio door add --facility DC1 --name "Cold 1" --features reefer --features tail-lift --max-height 162',
    ],
    seeAlso: ['door list', 'door update', 'door remove'],
  },
  run(ctx: Context & StorageContext, { name, types, features, maxHeight, position, dryRun, ...choice }) {
    return changeFacility(ctx, { choice, dryRun }, (before) => {
      if (before.doors.some((door) => door.name === name)) {
        throw new StudioError('conflict', `The door ${name} already exists at ${before.code}.`, {
          hint: hint`Change it: ${suggest('doors.update', { ...chooseFacility(before), name })}`,
        })
      }
      const door = { id: ctx.ids.uuid(), name, position: 0, types, active: true, features, maxHeight }
      return { ...before, doors: insertDoorAt(before.doors, door, position ?? before.doors.length + 1) }
    })
  },
})
