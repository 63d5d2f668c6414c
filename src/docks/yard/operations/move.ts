import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { saveTrailerStep } from '../../queries'
import { Success } from '../../schemas'
import { writeAppointments } from '../../services/tenant-access'
import { placeOfTrailer, Trailer, trailerChoice, trailerFields, whenField } from '../schemas'
import { lockPresentTrailer, readTrailer } from '../services/find-trailer'
import { createTrailerStep, describeTime, stateOf } from '../services/new-trailer-step'
import { recordForAppointment, requireDoorOfAppointment } from '../services/trailer-appointment'
import { EMPTY_FLAG, LOADED_FLAG, trailerCli, trailerFieldFlags, trailerFlags } from '../services/trailer-options'
import { resolvePlace } from '../services/trailer-places'

export const moveTrailer = operation({
  id: 'yard.move',
  summary: 'Move a trailer to a spot or to a door',
  description:
    'A place has one trailer. At the door of its appointment, the truck of the appointment counts as at the door too; another door is refused until the appointment is completed. Moving it to the place where it is changes nothing.',
  effect: 'write',
  access: { docks: 'gate' },
  input: z
    .strictObject({
      ...trailerChoice,
      ...placeOfTrailer,
      loaded: trailerFields.loaded.optional().describe('Whether it is loaded from now on; unchanged if missing'),
      ...whenField,
    })
    .refine(({ spotName, doorName }) => (spotName ?? doorName) != null, {
      path: ['spotName'],
      message: 'is required unless a door is given',
    }),
  output: Success.extend({ data: Trailer }),
  errors: ['not_found', 'conflict', 'invalid_state'],
  http: { method: 'post', path: '/api/trailers/{id}/move', extension: true },
  cli: {
    command: 'yard move',
    ...trailerCli,
    extraFlags: [...trailerCli.extraFlags, EMPTY_FLAG],
    flags: {
      ...trailerFlags,
      loaded: LOADED_FLAG,
      spotName: trailerFieldFlags.spotName,
      doorName: trailerFieldFlags.doorName,
      at: trailerFieldFlags.at,
    },
    examples: [
      'studio yard move TR-1042 --door "Door 1"',
      'studio yard move TR-1042 --facility DC1 --spot Y12 --no-loaded',
    ],
    seeAlso: ['yard board', 'yard leave', 'yard undo', 'yard update'],
  },
  run(ctx: Context & StorageContext, { at, loaded, spotName, doorName, ...choice }) {
    return writeAppointments(ctx, async (tx) => {
      const { trailer, facility } = await lockPresentTrailer(ctx, tx, choice)
      const { id, number, facilityCode } = trailer
      const before = stateOf(trailer)
      const place = await resolvePlace(tx, facility, { spotName, doorName }, id)
      const { spotId, doorId } = place
      const state = { ...before, spotId, doorId, loaded: loaded ?? before.loaded }
      const stays = spotId === before.spotId && doorId === before.doorId
      if (stays && state.loaded === before.loaded) {
        const message = `Nothing was changed: the trailer ${number} is at ${place.name} already.`
        return { status: 'success' as const, message, data: await readTrailer(ctx, tx, id) }
      }
      const step = createTrailerStep(ctx, facility, {
        kind: stays ? 'changed' : 'moved',
        at,
        after: trailer.placedAt,
        state,
      })
      const { occurredAt } = step
      const { appointmentId } = trailer
      let said = ''
      if (doorId !== null && !stays) {
        await requireDoorOfAppointment(tx, facility, { appointmentId, doorId })
        said = await recordForAppointment(ctx, tx, facility, { appointmentId, step: 'at_door', occurredAt })
      }
      await saveTrailerStep(tx, id, step)
      const message = `The trailer ${number} is at ${place.name} of ${facilityCode}: ${describeTime(facility, occurredAt)}.${said}`
      return { status: 'success' as const, message, data: await readTrailer(ctx, tx, id) }
    })
  },
})
