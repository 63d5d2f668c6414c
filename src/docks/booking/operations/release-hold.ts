import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { Success } from '../../schemas'
import { lockHold, requireFacility, writeAppointments } from '../../services/tenant-access'
import { endHold, offerFreeSlotsAt } from '../../waitlist/services/waitlist'
import { SlotHoldId } from '../schemas'
import { describeSlot } from '../services/present-appointment'

export const releaseHold = operation({
  id: 'holds.release',
  summary: 'Release a held slot before it expires',
  effect: 'write',
  access: { docks: 'clerk', carriers: true },
  input: z.strictObject({ id: SlotHoldId }),
  output: Success,
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/holds/{id}', extension: true },
  cli: {
    command: 'hold release',
    args: ['id'],
    argumentNames: { id: 'holdId' },
    examples: ['studio hold release 7d0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['hold list', 'hold confirm'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return writeAppointments(ctx, async (tx) => {
      const { hold, tenantId } = await lockHold(ctx, tx, id)
      const facility = await requireFacility(ctx, tx, { facilityId: hold.facilityId })
      await endHold(ctx, tx, { tenantId, facility }, { holdId: id, cause: 'declined' })
      await offerFreeSlotsAt(ctx, tx, { tenantId, facilityId: facility.id })
      return { status: 'success' as const, message: `Released: ${describeSlot(hold, facility.timeZone)}.` }
    })
  },
})
