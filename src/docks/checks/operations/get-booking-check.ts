import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { FacilityName } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { BookingCheckSettings, presentBookingCheck } from '../schemas'
import { requireBookingCheck } from '../services/booking-check-access'

export const getBookingCheck = operation({
  id: 'facilities.get-check',
  summary: 'Show the endpoint that checks the bookings of a facility',
  effect: 'read',
  access: { docks: 'admin' },
  input: z.strictObject({ id: FacilityName }),
  output: BookingCheckSettings,
  errors: ['not_found'],
  http: { method: 'get', path: '/api/facilities/{id}/booking-check', extension: true },
  cli: {
    command: 'facility check get',
    args: ['id'],
    argumentNames: { id: 'code' },
    examples: ['studio facility check get DC1'],
    seeAlso: ['facility check set', 'facility check test'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.read(async (tx) => {
      const facility = await requireFacility(ctx, tx, parseFacilityName(id))
      return presentBookingCheck(facility, await requireBookingCheck(tx, facility))
    })
  },
})
