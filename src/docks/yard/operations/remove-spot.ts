import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { findTrailerAt, findYardSpot, removeYardSpot } from '../../queries'
import { FacilityName, Name, Success } from '../../schemas'
import { lockFacility, writeAppointments } from '../../services/tenant-access'

export const removeSpot = operation({
  id: 'yard.remove-spot',
  summary: 'Remove a spot from the yard of a facility',
  description: 'A spot with a trailer is not removed. The history of trailers keeps its name.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({ id: FacilityName, name: Name.describe('Name of the spot') }),
  output: Success,
  errors: ['not_found', 'conflict'],
  http: { method: 'delete', path: '/api/facilities/{id}/yard/spots/{name}', extension: true },
  cli: {
    command: 'yard remove-spot',
    args: ['id', 'name'],
    argumentNames: { id: 'code' },
    examples: ['studio yard remove-spot DC1 Y2'],
    seeAlso: ['yard board', 'yard add-spots'],
  },
  run(ctx: Context & StorageContext, { id, name }) {
    return writeAppointments(ctx, async (tx) => {
      const facility = await lockFacility(ctx, tx, parseFacilityName(id))
      const spot = await findYardSpot(tx, facility.id, name)
      if (spot === null) {
        throw new StudioError('not_found', `The yard of ${facility.code} has no spot ${name}.`, {
          hint: hint`Show the spots: ${suggest('yard.board', { id: facility.code })}`,
        })
      }
      const there = await findTrailerAt(tx, { spotId: spot.id })
      if (there !== null) {
        throw new StudioError('conflict', `The trailer ${there.number} is at ${name}.`, {
          hint: hint`Move it first: ${suggest('yard.move', { id: there.id, spotName: '<spot>' })}`,
        })
      }
      await removeYardSpot(tx, spot.id, ctx.clock.now())
      return { status: 'success' as const, message: `Removed the spot ${name} from the yard of ${facility.code}.` }
    })
  },
})
