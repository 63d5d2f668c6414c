import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { type Context, inputError, operation } from '../../../kernel'
import { toRemovals } from '../../../kernel/json'
import type { StorageContext } from '../../../storage'
import { toFacilityInput } from '../../facilities/services/facility-options'
import { saveTrailerStep } from '../../queries'
import { Success } from '../../schemas'
import { writeAppointments } from '../../services/tenant-access'
import { Trailer, trailerChoice, trailerFields } from '../schemas'
import { requireNotThere } from '../services/arrival'
import { lockPresentTrailer, readTrailer } from '../services/find-trailer'
import { createTrailerStep, stateOf } from '../services/new-trailer-step'
import { resolveAppointment } from '../services/trailer-appointment'
import { EMPTY_FLAG, LOADED_FLAG, trailerCli, trailerFieldFlags, trailerFlags } from '../services/trailer-options'

export const updateTrailer = operation({
  id: 'yard.update',
  summary: 'Correct what is known of a trailer in the yard, or give it another appointment',
  description:
    'Only the given fields change. In a request, null removes the appointment or the note; on the command line, "" does. A new appointment gets no step from this call: it gets one when the trailer is moved to its door, or leaves.',
  effect: 'write',
  access: { docks: 'gate' },
  input: z.strictObject({
    ...trailerChoice,
    number: trailerFields.number.optional(),
    carrierName: trailerFields.carrierName.optional(),
    loaded: trailerFields.loaded.optional(),
    appointment: trailerFields.appointment,
    note: trailerFields.note,
  }),
  output: Success.extend({ data: Trailer }),
  errors: ['not_found', 'conflict', 'invalid_state'],
  http: { method: 'patch', path: '/api/trailers/{id}', extension: true },
  cli: {
    command: 'yard update',
    ...trailerCli,
    toInput: (typed) => toRemovals(toFacilityInput(typed)),
    extraFlags: [...trailerCli.extraFlags, EMPTY_FLAG],
    flags: {
      ...trailerFlags,
      loaded: LOADED_FLAG,
      carrierName: trailerFieldFlags.carrierName,
      appointment: trailerFieldFlags.appointment,
    },
    examples: [
      'studio yard update TR-1042 --no-loaded',
      'studio yard update TR-1042 --facility DC1 --appointment PO-3001 --note "Seal broken"',
    ],
    seeAlso: ['yard board', 'yard move', 'yard get'],
  },
  run(ctx: Context & StorageContext, { id: name, facilityId, facilityCode, appointment, ...changes }) {
    return writeAppointments(ctx, async (tx) => {
      const { trailer, facility } = await lockPresentTrailer(ctx, tx, { id: name, facilityId, facilityCode })
      const { id } = trailer
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
      if (appointment === undefined && Object.keys(given).length === 0)
        throw inputError([{ path: '', message: 'Give at least one field to change' }])
      const before = stateOf(trailer)
      if (changes.number !== undefined) await requireNotThere(tx, facility, changes.number, id)
      const linked = appointment == null ? null : await resolveAppointment(tx, facility, appointment)
      const appointmentId = appointment === undefined ? before.appointmentId : (linked?.id ?? null)
      const state = { ...before, ...given, appointmentId }
      const isChanged = !isDeepStrictEqual(state, before)
      if (isChanged) await saveTrailerStep(tx, id, createTrailerStep(ctx, facility, { kind: 'changed', state }))
      const message = isChanged
        ? `Changed the trailer ${state.number} at ${facility.code}.`
        : `Nothing was changed: the trailer ${state.number} at ${facility.code} is so already.`
      return { status: 'success' as const, message, data: await readTrailer(ctx, tx, id) }
    })
  },
})
