import { type Context, StudioError } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import type { AppointmentType, FacilityChoice } from '../../facilities/rules/facility'
import { countRefusedRequest } from '../../queries'
import { getLocalDay } from '../../rules/zoned-time'
import { requireFacility } from '../../services/tenant-access'
import { findRefusalReason } from '../rules/refused-requests'

/** Does `work`, and counts the request for the facility's report if it gets no slot. */
export async function countIfRefused<Result>(
  ctx: Context & StorageContext,
  request: FacilityChoice & { type: AppointmentType },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof StudioError ? findRefusalReason(error) : null
    // The caller must get the refusal even if counting it fails.
    if (reason !== null) await countRefusal(ctx, request, reason).catch(() => {})
    throw error
  }
}

async function countRefusal(
  ctx: Context & StorageContext,
  { type, ...choice }: FacilityChoice & { type: AppointmentType },
  reason: string,
): Promise<void> {
  await ctx.db.write(async (tx) => {
    const { id, timeZone } = await requireFacility(ctx, tx, choice)
    await countRefusedRequest(tx, id, { day: getLocalDay(timeZone, ctx.clock.now()), type, reason })
  })
}
