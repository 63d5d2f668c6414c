import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { ReadTx, StorageContext } from '../../../storage'
import { listTrailers, saveTrailerStep, type TrailerRecord } from '../../queries'
import { Success } from '../../schemas'
import { writeAppointments } from '../../services/tenant-access'
import { Trailer, trailerChoice, whenField } from '../schemas'
import { lockPresentTrailer, readTrailer } from '../services/find-trailer'
import { createTrailerStep, describeTime, stateOf } from '../services/new-trailer-step'
import { recordForAppointment } from '../services/trailer-appointment'
import { trailerCli, trailerFieldFlags, trailerFlags } from '../services/trailer-options'

export const leaveYard = operation({
  id: 'yard.leave',
  summary: 'Record that a trailer leaves the yard',
  description:
    'Its place is free from then on. If its appointment is at the door or completed, the truck of the appointment counts as departed too, unless another trailer of the appointment is in the yard.',
  effect: 'write',
  access: { docks: 'gate' },
  input: z.strictObject({ ...trailerChoice, ...whenField }),
  output: Success.extend({ data: Trailer }),
  errors: ['not_found', 'invalid_state'],
  http: { method: 'post', path: '/api/trailers/{id}/leave', extension: true },
  cli: {
    command: 'yard leave',
    ...trailerCli,
    flags: { ...trailerFlags, at: trailerFieldFlags.at },
    notice: ({ data }) => `To undo it: studio yard undo ${data.id}`,
    examples: ['studio yard leave TR-1042', 'studio yard leave 3b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --json'],
    seeAlso: ['yard board', 'yard undo', 'yard list'],
  },
  run(ctx: Context & StorageContext, { at, ...choice }) {
    return writeAppointments(ctx, async (tx) => {
      const { trailer, facility } = await lockPresentTrailer(ctx, tx, choice)
      const { id, number, appointmentId, facilityCode } = trailer
      const step = createTrailerStep(ctx, facility, {
        kind: 'left',
        at,
        after: trailer.placedAt,
        state: stateOf(trailer),
      })
      const { occurredAt } = step
      const said = (await isLastOfAppointment(tx, trailer))
        ? await recordForAppointment(ctx, tx, facility, { appointmentId, step: 'departed', occurredAt })
        : ''
      await saveTrailerStep(tx, id, step)
      const message = `The trailer ${number} left ${facilityCode}: ${describeTime(facility, occurredAt)}.${said}`
      return { status: 'success' as const, message, data: await readTrailer(ctx, tx, id) }
    })
  },
})

async function isLastOfAppointment(tx: ReadTx, { facilityId, appointmentId }: TrailerRecord): Promise<boolean> {
  if (appointmentId === null) return false
  return (await listTrailers(tx, { facilityId, isPresent: true, appointmentId })).length === 1
}
