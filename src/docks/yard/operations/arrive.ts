import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { FACILITY_REQUIRED, FacilityCode, FacilityId, isFacilityGiven, Success } from '../../schemas'
import { lockFacility, writeAppointments } from '../../services/tenant-access'
import { MAX_EARLY_HOURS } from '../../visits/rules/early-arrival'
import { placeOfTrailer, Trailer, trailerFields, whenField } from '../schemas'
import { recordArrival } from '../services/arrival'
import { readTrailer } from '../services/find-trailer'
import { trailerFieldFlags } from '../services/trailer-options'

export const arriveTrailer = operation({
  id: 'yard.arrive',
  summary: 'Record that a trailer arrives and is dropped in the yard',
  description: `The trailer is parked in a spot or at a door. Without either, it is in the yard without a place until it is moved. If it has an appointment that starts within ${MAX_EARLY_HOURS} hours, its truck is checked in too. A carrier is needed only without an appointment.`,
  effect: 'write',
  access: { docks: 'gate' },
  input: z
    .strictObject({
      facilityId: FacilityId.optional(),
      facilityCode: FacilityCode.optional(),
      number: trailerFields.number,
      carrierName: trailerFields.carrierName
        .nullish()
        .describe('Carrier company name; by default that of the appointment'),
      loaded: trailerFields.loaded.default(true),
      appointment: trailerFields.appointment,
      ...placeOfTrailer,
      ...whenField,
      note: trailerFields.note,
    })
    .refine(isFacilityGiven, FACILITY_REQUIRED),
  output: Success.extend({ data: Trailer }),
  errors: ['not_found', 'conflict', 'invalid_state'],
  http: { method: 'post', path: '/api/trailers', extension: true },
  cli: {
    command: 'yard arrive',
    args: ['number'],
    extraFlags: [facilityFlag],
    flags: {
      ...facilityFieldFlags,
      ...trailerFieldFlags,
      loaded: { about: 'It is empty' },
    },
    toInput: toFacilityInput,
    examples: [
      'studio yard arrive TR-2001 --facility DC1 --appointment PO-3001 --spot Y4',
      'studio yard arrive TR-7 --facility DC1 --carrier "Blue Freight" --no-loaded',
    ],
    seeAlso: ['yard board', 'yard move', 'yard leave', 'appointment check-in'],
  },
  run(ctx: Context & StorageContext, { facilityId, facilityCode, ...arrival }) {
    return writeAppointments(ctx, async (tx) => {
      const facility = await lockFacility(ctx, tx, { facilityId, facilityCode })
      const { id, message } = await recordArrival(ctx, tx, facility, arrival)
      return { status: 'success' as const, message, data: await readTrailer(ctx, tx, id) }
    })
  },
})
