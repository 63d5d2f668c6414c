import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { Success } from '../../schemas'
import { writeAppointments } from '../../services/tenant-access'
import { AnsweredHoldId, WaitlistEntryId } from '../schemas'
import { declineOffer as decline, lockEntry, offerFreeSlotsAt } from '../services/waitlist'

export const declineOffer = operation({
  id: 'waitlist.decline',
  summary: 'Decline an offered slot and keep waiting',
  description:
    'The slot is offered to the next entry. The entry keeps its position, and is offered only other starts. An offer that expires counts as declined; one that ends because the facility has changed does not.',
  effect: 'write',
  access: { docks: 'clerk', carriers: true },
  input: z.strictObject({ id: WaitlistEntryId, holdId: AnsweredHoldId }),
  output: Success,
  errors: ['not_found', 'invalid_state'],
  http: { method: 'post', path: '/api/waitlist/{id}/decline', extension: true },
  cli: {
    command: 'waitlist decline',
    args: ['id'],
    argumentNames: { id: 'entryId' },
    examples: ['studio waitlist decline 9b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['waitlist list', 'waitlist accept', 'waitlist remove'],
  },
  run(ctx: Context & StorageContext, { id, holdId }) {
    return writeAppointments(ctx, async (tx) => {
      const { entry, tenantId, facility } = await lockEntry(ctx, tx, id)
      await decline(ctx, tx, { entry, tenantId, facility }, holdId)
      await offerFreeSlotsAt(ctx, tx, { tenantId, facilityId: entry.facilityId })
      return {
        status: 'success' as const,
        message: `Declined: ${entry.request.referenceNumber} stays on the waitlist.`,
      }
    })
  },
})
