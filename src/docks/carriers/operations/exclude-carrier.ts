import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { bookingFields } from '../../booking/schemas'
import { nameFacility } from '../../facilities/rules/facility'
import { changeFacility, DryRun, FacilityChange } from '../../facilities/services/change-facility'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { FacilityName } from '../../schemas'

export const excludeCarrier = operation({
  id: 'carriers.exclude',
  summary: "Revoke a carrier's access to a facility",
  description: 'Its appointments stay. Its keys can no longer see the facility.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({ id: FacilityName, name: bookingFields.carrierName, dryRun: DryRun }),
  output: FacilityChange,
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/facilities/{id}/carriers/{name}', extension: true },
  cli: {
    command: 'carrier exclude',
    args: ['id', 'name'],
    argumentNames: { id: 'code', name: 'carrier' },
    examples: ['studio carrier admit DC1 "Acme" && studio carrier exclude DC1 "Acme"'],
    seeAlso: ['carrier admit', 'tenant key revoke', 'facility get'],
  },
  run(ctx: Context & StorageContext, { id, name, dryRun }) {
    return changeFacility(ctx, { choice: parseFacilityName(id), dryRun }, (before) => {
      if (!before.carriers.some((admitted) => admitted.name === name)) {
        throw new StudioError('not_found', `${before.code} does not admit the carrier ${name}.`, {
          hint: hint`See the carriers: ${suggest('facilities.get', { id: nameFacility(before) })}`,
        })
      }
      return { ...before, carriers: before.carriers.filter((admitted) => admitted.name !== name) }
    })
  },
})
