import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { FacilityName, Success } from '../../schemas'
import { lockFacility } from '../../services/tenant-access'
import { saveBookingCheck } from '../queries/booking-checks'
import { requireBookingCheck } from '../services/booking-check-access'

export const removeBookingCheck = operation({
  id: 'facilities.remove-check',
  summary: 'Book at a facility without asking its endpoint',
  effect: 'write',
  access: { docks: 'admin' },
  input: z.strictObject({ id: FacilityName }),
  output: Success,
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/facilities/{id}/booking-check', extension: true },
  cli: {
    command: 'facility check remove',
    args: ['id'],
    argumentNames: { id: 'code' },
    examples: ['studio facility check remove DC1'],
    seeAlso: ['facility check set', 'facility check get'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.write(async (tx) => {
      const facility = await lockFacility(ctx, tx, parseFacilityName(id))
      const { url } = await requireBookingCheck(tx, facility)
      await saveBookingCheck(tx, facility.id, null)
      return { status: 'success' as const, message: `Bookings at ${facility.code} are no longer checked by ${url}.` }
    })
  },
})
