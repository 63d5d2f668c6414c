import * as z from 'zod'
import { findTenantId } from '../../../access'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { remindEverywhere } from '../services/reminders'

export const remindOfAppointments = operation({
  id: 'appointments.remind',
  summary: 'Send the reminders that are due',
  description:
    'A running service does this every minute. Without one, run this from a scheduler such as cron. Each appointment gets one reminder, `reminderHours` of the facility before its start. An appointment that was booked or moved within these hours gets none. Webhooks get an event, contacts a mail.',
  effect: 'write',
  recorded: 'from-start',
  access: { docks: 'clerk' },
  input: z.strictObject({}),
  output: z.object({ reminders: z.int().describe('Number of new reminders') }),
  errors: [],
  http: { method: 'post', path: '/api/appointments/remind', extension: true, inParts: true },
  cli: {
    command: 'appointment remind',
    examples: ['studio appointment remind'],
    seeAlso: ['webhook add', 'webhook deliver', 'facility update'],
  },
  async run(ctx: Context & StorageContext) {
    const tenantId = await ctx.db.read((tx) => findTenantId(ctx, tx))
    return { reminders: tenantId === null ? 0 : await remindEverywhere(ctx, { tenantId }) }
  },
})
