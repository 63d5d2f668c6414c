import * as z from 'zod'
import { type Context, inputError, operation } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import type { StorageContext } from '../../../storage'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { addYardSpot, listYardSpots } from '../../queries'
import { FacilityName, Name, Success } from '../../schemas'
import { lockFacility, writeAppointments } from '../../services/tenant-access'

const MAX_SPOTS = 2_000

export const addSpots = operation({
  id: 'yard.add-spots',
  summary: 'Add spots to the yard of a facility',
  description: `Spots that exist already stay as they are. A yard has at most ${MAX_SPOTS.toLocaleString('en')} spots.`,
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({
    id: FacilityName,
    names: z.array(Name).min(1).max(MAX_SPOTS).describe('Names of the spots, such as Y1'),
  }),
  output: Success.extend({ added: z.array(z.string()).describe('Names of the spots that the yard did not have') }),
  errors: ['not_found'],
  http: { method: 'post', path: '/api/facilities/{id}/yard/spots', extension: true },
  cli: {
    command: 'yard add-spots',
    args: ['id', 'names...'],
    argumentNames: { id: 'code', names: 'name' },
    examples: ['studio yard add-spots DC1 Y1 Y2 "North 1"'],
    seeAlso: ['yard board', 'yard remove-spot'],
  },
  run(ctx: Context & StorageContext, { id, names }) {
    return writeAppointments(ctx, async (tx) => {
      const facility = await lockFacility(ctx, tx, parseFacilityName(id))
      const known = new Set((await listYardSpots(tx, facility.id)).map(({ name }) => name))
      const added = [...new Set(names)].filter((name) => !known.has(name))
      if (known.size + added.length > MAX_SPOTS)
        throw inputError([
          { path: 'names', message: `would make ${known.size + added.length} spots; at most ${MAX_SPOTS}` },
        ])
      for (const name of added) await addYardSpot(tx, { id: ctx.ids.uuid(), facilityId: facility.id, name })
      const message =
        added.length === 0
          ? `Nothing was changed: the yard of ${facility.code} has these spots already.`
          : `Added ${pluralize(added.length, 'spot')} to the yard of ${facility.code}.`
      return { status: 'success' as const, message, added }
    })
  },
})
