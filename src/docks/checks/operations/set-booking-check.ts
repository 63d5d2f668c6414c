import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { SECOND_MS } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import type { WebhookContext } from '../../events/services/address-policy'
import { formatWebhookSecret } from '../../events/services/signed-requests'
import { requireAllowedTarget } from '../../events/services/webhook-access'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { FacilityName } from '../../schemas'
import { lockFacility } from '../../services/tenant-access'
import { findBookingCheck, saveBookingCheck } from '../queries/booking-checks'
import { BookingCheckSettings, bookingCheckFields, presentBookingCheck } from '../schemas'

export const setBookingCheck = operation({
  id: 'facilities.set-check',
  summary: 'Let an HTTPS endpoint accept, refuse or change bookings before they are made',
  description:
    'The endpoint gets a signed POST with the booking, as Standard Webhooks specifies, and answers with JSON: decision accept, with another durationMinutes or other requirements if it wants, or decision refuse with a message. It is asked about bookings, confirmations of holds and new entries of the waitlist, but not about imports and series. The secret of a new address is shown once.',
  effect: 'write',
  access: { docks: 'admin' },
  input: z.strictObject({
    id: FacilityName,
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .describe('An https address on the public Internet'),
    timeoutSeconds: bookingCheckFields.timeoutSeconds.default(5),
    ifAway: bookingCheckFields.ifAway.default('refuse'),
  }),
  output: BookingCheckSettings.extend({
    secret: z
      .string()
      .nullable()
      .describe('Checks the signature. It is shown only now; null if the address is not new'),
  }),
  errors: ['not_found'],
  http: { method: 'put', path: '/api/facilities/{id}/booking-check', extension: true },
  cli: {
    command: 'facility check set',
    args: ['id', 'url'],
    argumentNames: { id: 'code' },
    flags: { timeoutSeconds: { name: 'timeout', value: 'seconds' } },
    examples: ['studio facility check set DC1 https://wms.example.com/booking-check --timeout 3 --if-away accept'],
    seeAlso: ['facility check test', 'facility check get', 'facility check remove'],
  },
  run(ctx: Context & StorageContext & WebhookContext, { id, url, timeoutSeconds, ifAway }) {
    requireAllowedTarget(ctx, url)
    return ctx.db.write(async (tx) => {
      const facility = await lockFacility(ctx, tx, parseFacilityName(id))
      const before = await findBookingCheck(tx, facility.id)
      const isNew = before?.url !== url
      const secret = isNew ? formatWebhookSecret(ctx.ids.secret(44)) : before.secret
      const check = { url, secret, timeoutMs: timeoutSeconds * SECOND_MS, ifAway }
      await saveBookingCheck(tx, facility.id, check)
      return { ...presentBookingCheck(facility, check), secret: isNew ? secret : null }
    })
  },
})
