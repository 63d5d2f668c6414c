import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { deleteTrailer, findTrailerAt, listTrailerSteps, type StoredTrailerStep, undoTrailerStep } from '../../queries'
import { Success } from '../../schemas'
import { identifyCaller, writeAppointments } from '../../services/tenant-access'
import { Trailer, trailerChoice } from '../schemas'
import { requireNotThere } from '../services/arrival'
import { lockTrailer, readTrailer } from '../services/find-trailer'
import { trailerCli, trailerFlags } from '../services/trailer-options'

const steps = { arrived: 'its arrival', moved: 'its move', changed: 'its change', left: 'its departure' } as const

export const undoTrailerChange = operation({
  id: 'yard.undo',
  summary: 'Undo the last step of a trailer',
  description:
    'Each call undoes one more step, unless another trailer has taken the place or the number that it had before. Undoing the arrival removes the trailer. A step that was recorded for its appointment stays there: undo it with appointment undo.',
  effect: 'write',
  access: { docks: 'gate' },
  input: z.strictObject({ ...trailerChoice }),
  output: Success.extend({ data: Trailer.nullable().describe('Null if its arrival was undone') }),
  errors: ['not_found', 'conflict'],
  http: { method: 'post', path: '/api/trailers/{id}/undo', extension: true },
  cli: {
    command: 'yard undo',
    ...trailerCli,
    flags: trailerFlags,
    examples: ['studio yard undo TR-7', 'studio yard undo 3b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['yard get', 'yard move', 'appointment undo'],
  },
  run(ctx: Context & StorageContext, choice) {
    return writeAppointments(ctx, async (tx) => {
      const { trailer, facility } = await lockTrailer(ctx, tx, choice)
      const { id, number } = trailer
      const taken = (await listTrailerSteps(tx, id)).filter(({ undoneAt }) => undoneAt === null)
      const last = taken.at(-1)!
      const before = taken.at(-2)
      const message = `Undone for the trailer ${number} at ${facility.code}: ${steps[last.kind]}.`
      if (before === undefined) {
        await deleteTrailer(tx, id)
        return { status: 'success' as const, message, data: null }
      }
      await requireRestorable(before.state, id)
      const caller = identifyCaller(ctx)
      await undoTrailerStep(tx, id, { stepId: last.id, at: ctx.clock.now(), by: caller.name ?? caller.id })
      return { status: 'success' as const, message, data: await readTrailer(ctx, tx, id) }

      /** Throws `conflict` if another trailer took its place, or has its number. */
      async function requireRestorable(state: StoredTrailerStep['state'], trailerId: string): Promise<void> {
        await requireNotThere(tx, facility, state.number, trailerId)
        const { spotId, doorId } = state
        const place = spotId !== null ? { spotId } : doorId !== null ? { doorId } : null
        const there = place && (await findTrailerAt(tx, place))
        if (!there || there.id === trailerId) return
        throw new StudioError(
          'conflict',
          `The trailer ${there.number} has taken its place, ${there.spotName ?? there.doorName}.`,
          {
            hint: hint`Move that one first: ${suggest('yard.move', { id: there.id, spotName: '<spot>' })}`,
          },
        )
      }
    })
  },
})
