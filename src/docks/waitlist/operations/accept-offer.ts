import * as z from 'zod'
import { type Context, operation, StudioError } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { BookedAppointment } from '../../booking/schemas'
import { bookHeldSlot } from '../../booking/services/held-slots'
import { describeSlot, presentAppointment } from '../../booking/services/present-appointment'
import { findHold } from '../../queries'
import { Success } from '../../schemas'
import { writeAppointments } from '../../services/tenant-access'
import { AnsweredHoldId, WaitlistEntryId } from '../schemas'
import { lockEntry, removeEntry, requireOffer } from '../services/waitlist'

export const acceptOffer = operation({
  id: 'waitlist.accept',
  summary: 'Book the slot that is offered to a waitlist entry',
  effect: 'write',
  access: { docks: 'clerk', carriers: true },
  input: z.strictObject({ id: WaitlistEntryId, holdId: AnsweredHoldId }),
  output: Success.extend({ data: BookedAppointment }),
  errors: ['not_found', 'invalid_state', 'duplicate_reference', 'slot_unavailable'],
  http: { method: 'post', path: '/api/waitlist/{id}/accept', extension: true },
  cli: {
    command: 'waitlist accept',
    args: ['id'],
    argumentNames: { id: 'entryId' },
    examples: ['studio waitlist accept 9b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['waitlist list', 'waitlist decline'],
  },
  run(ctx: Context & StorageContext, { id, holdId }) {
    return writeAppointments(ctx, async (tx) => {
      const { tenantId, facility, entry } = await lockEntry(ctx, tx, id)
      const hold = await findHold(tx, tenantId, requireOffer(entry, { holdId, now: ctx.clock.now() }))
      if (!hold)
        throw new StudioError('invalid_state', 'The offered slot is no longer held.', {
          hint: 'Wait for the next offer.',
        })
      const appointment = await bookHeldSlot(ctx, tx, { tenantId, facility, hold }, entry.request)
      await removeEntry(ctx, tx, { tenantId, facility }, { entry, cause: 'accepted' })
      return {
        status: 'success' as const,
        message: `Booked for ${describeSlot(appointment, facility.timeZone)}.`,
        data: presentAppointment(appointment),
      }
    })
  },
})
