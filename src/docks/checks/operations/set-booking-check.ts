import * as z from 'zod'
import { type Context, inputError, operation } from '../../../kernel'
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

/** What a new check has unless the call says otherwise. */
const DEFAULTS = { timeoutMs: 5 * SECOND_MS, ifAway: 'refuse' } as const

export const setBookingCheck = operation({
  id: 'facilities.set-check',
  summary: 'Let an HTTPS endpoint accept, refuse or change bookings before they are made',
  description:
    'The endpoint gets a signed POST with the booking, as Standard Webhooks specifies, and answers with JSON: decision accept, with another durationMinutes or other requirements if it wants, or decision refuse with a message. It is asked about bookings, confirmations of holds and new entries of the waitlist, but not about imports and series. What is not given stays as it is; at first the endpoint has 5 seconds, and bookings without an answer are refused. The secret of a new address is shown once.',
  effect: 'write',
  access: { docks: 'admin' },
  input: z.strictObject({
    id: FacilityName,
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional()
      .describe('An https address on the public Internet; the first check needs it'),
    timeoutSeconds: bookingCheckFields.timeoutSeconds.optional(),
    ifAway: bookingCheckFields.ifAway.optional(),
  }),
  output: BookingCheckSettings.extend({
    secret: z
      .string()
      .nullable()
      .describe('Checks the signature. It is shown only now; null if the address is not new'),
  }),
  errors: ['not_found'],
  http: { method: 'patch', path: '/api/facilities/{id}/booking-check', extension: true },
  cli: {
    command: 'facility check set',
    args: ['id', 'url'],
    argumentNames: { id: 'code' },
    flags: { timeoutSeconds: { name: 'timeout', value: 'seconds' } },
    examples: ['studio facility check set DC1 https://wms.example.com/booking-check --timeout 3 --if-away accept'],
    seeAlso: ['facility check test', 'facility check get', 'facility check remove'],
  },
  run(ctx: Context & StorageContext & WebhookContext, { id, url: newUrl, timeoutSeconds, ifAway }) {
    if (newUrl !== undefined) requireAllowedTarget(ctx, newUrl)
    return ctx.db.write(async (tx) => {
      const facility = await lockFacility(ctx, tx, parseFacilityName(id))
      const before = await findBookingCheck(tx, facility.id)
      const url = newUrl ?? before?.url
      if (url === undefined)
        throw inputError([{ path: 'url', message: 'is required: the facility has no booking check' }])
      const oldSecret = before?.url === url ? before.secret : null
      const secret = oldSecret ?? formatWebhookSecret(ctx.ids.secret(44))
      const check = {
        url,
        secret,
        timeoutMs:
          timeoutSeconds === undefined ? (before?.timeoutMs ?? DEFAULTS.timeoutMs) : timeoutSeconds * SECOND_MS,
        ifAway: ifAway ?? before?.ifAway ?? DEFAULTS.ifAway,
      }
      await saveBookingCheck(tx, facility.id, check)
      return { ...presentBookingCheck(facility, check), secret: oldSecret === null ? secret : null }
    })
  },
})
