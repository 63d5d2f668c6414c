import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { findDoorNames, findSpotNames, listTrailerSteps } from '../../queries'
import { Instant } from '../../schemas'
import { trailerSteps } from '../rules/trailer-steps'
import { presentTrailer, Trailer, trailerChoice } from '../schemas'
import { requireTrailer } from '../services/find-trailer'
import { trailerCli, trailerFlags } from '../services/trailer-options'

const Step = z.object({
  step: z.enum(trailerSteps),
  occurredAt: Instant.describe('When it happened'),
  at: Instant.describe('When it was recorded'),
  by: z.string().describe('Who recorded it'),
  spotName: z.string().nullable().describe('Where the trailer was then'),
  doorName: z.string().nullable().describe('Where the trailer was then'),
  loaded: z.boolean(),
  undoneAt: Instant.nullable(),
  undoneBy: z.string().nullable(),
})

export const getTrailer = operation({
  id: 'yard.get',
  summary: 'Show a trailer with its steps',
  description:
    'Steps are listed oldest first, also those that were undone. A trailer that has left is found by its ID.',
  effect: 'read',
  access: { docks: 'viewer' },
  input: z.strictObject({ ...trailerChoice }),
  output: Trailer.extend({ steps: z.array(Step) }),
  errors: ['not_found'],
  http: {
    method: 'get',
    path: '/api/trailers/{id}',
    query: { facility_id: 'facilityId', facility_code: 'facilityCode' },
    extension: true,
  },
  cli: {
    command: 'yard get',
    ...trailerCli,
    flags: trailerFlags,
    examples: ['studio yard get TR-1042', 'studio yard get TR-1042 --facility DC1 --json'],
    seeAlso: ['yard list', 'yard move', 'yard undo'],
  },
  run(ctx: Context & StorageContext, choice) {
    return ctx.db.read(async (tx) => {
      const trailer = await requireTrailer(ctx, tx, choice)
      const steps = await listTrailerSteps(tx, trailer.id)
      const spots = await findSpotNames(tx, trailer.facilityId)
      const doors = await findDoorNames(tx, trailer.facilityId)
      return {
        ...presentTrailer(trailer, ctx.clock.now()),
        steps: steps.map(({ kind, at, occurredAt, caller, state, undoneAt, undoneBy }) => ({
          step: kind,
          occurredAt: formatInstant(occurredAt),
          at: formatInstant(at),
          by: caller.name ?? caller.id,
          spotName: state.spotId && (spots.get(state.spotId) ?? null),
          doorName: state.doorId && (doors.get(state.doorId) ?? null),
          loaded: state.loaded,
          undoneAt: undoneAt === null ? null : formatInstant(undoneAt),
          undoneBy,
        })),
      }
    })
  },
})
