import * as z from 'zod'
import { type Context, operation, StudioError } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import type { WebhookContext } from '../../events/services/address-policy'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { FacilityName, Success } from '../../schemas'
import { requireFacility } from '../../services/tenant-access'
import { requireBookingCheck } from '../services/booking-check-access'
import { sendCheck } from '../services/checked-booking'

export const testBookingCheck = operation({
  id: 'facilities.test-check',
  summary: 'Ask the endpoint of a facility once, without a booking',
  description:
    'The type of the message is booking.check.test, and its booking is null. The endpoint answers as to a booking.',
  effect: 'write',
  recorded: 'from-start',
  access: { docks: 'admin' },
  input: z.strictObject({ id: FacilityName }),
  output: Success,
  errors: ['not_found', 'unavailable'],
  http: { method: 'post', path: '/api/facilities/{id}/booking-check/test', extension: true },
  cli: {
    command: 'facility check test',
    args: ['id'],
    argumentNames: { id: 'code' },
    examples: ['studio facility check test DC1'],
    seeAlso: ['facility check set', 'facility check get'],
  },
  async run(ctx: Context & StorageContext & WebhookContext, { id }) {
    const { facility, check } = await ctx.db.read(async (tx) => {
      const facility = await requireFacility(ctx, tx, parseFacilityName(id))
      return { facility, check: await requireBookingCheck(tx, facility) }
    })
    const answer = await sendCheck(ctx, check, { facility, booking: null })
    if ('failure' in answer)
      throw new StudioError('unavailable', `The booking check gave no answer: ${answer.failure}.`, {
        hint: 'An endpoint answers with a status from 200 to 299 and JSON such as {"decision": "accept"}.',
      })
    return { status: 'success' as const, message: `${check.url} answered: ${answer.decision}.` }
  },
})
