import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { Success } from '../../schemas'
import { writeAppointments } from '../../services/tenant-access'
import { WaitlistEntryId } from '../schemas'
import { lockEntry, offerFreeSlotsAt, removeEntry } from '../services/waitlist'

export const removeFromWaitlist = operation({
  id: 'waitlist.remove',
  summary: 'Remove an entry from the waitlist',
  description: 'A slot that was offered to the entry is offered to the next entry.',
  effect: 'write',
  access: { docks: 'clerk', carriers: true },
  input: z.strictObject({ id: WaitlistEntryId }),
  output: Success,
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/waitlist/{id}', extension: true },
  cli: {
    command: 'waitlist remove',
    args: ['id'],
    argumentNames: { id: 'entryId' },
    examples: ['studio waitlist remove 9b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['waitlist list', 'waitlist decline'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return writeAppointments(ctx, async (tx) => {
      const { entry, tenantId, facility } = await lockEntry(ctx, tx, id)
      await removeEntry(ctx, tx, { tenantId, facility }, { entry, cause: 'removed' })
      await offerFreeSlotsAt(ctx, tx, { tenantId, facilityId: entry.facilityId })
      return { status: 'success' as const, message: `Removed ${entry.request.referenceNumber} from the waitlist.` }
    })
  },
})
