import type { Context, OperationId } from '../../kernel'
import type { StorageContext, WriteTx } from '../../storage'
import type { Facility } from '../facilities/rules/facility'
import { findFacilityForUpdate } from '../queries'
import { writeAppointments } from './tenant-access'

interface Place {
  tenantId: string
  facilityId: string
}

/**
 * Runs the work of facilities that are not deleted, each in a transaction of its own that has locked it. Returns the sum of their counts.
 * `upkeep` is the operation that the service does on its own, which the audit then records for each facility with a count.
 */
export async function runAtEachFacility(
  ctx: Context & StorageContext,
  places: readonly Place[],
  { upkeep, work }: { upkeep: OperationId | null; work: (tx: WriteTx, place: OpenPlace) => Promise<number> },
): Promise<number> {
  let sum = 0
  for (const { tenantId, facilityId } of places) {
    ctx.signal.throwIfAborted()
    sum += await writeAppointments(ctx, async (tx) => {
      const facility = await findFacilityForUpdate(tx, tenantId, { id: facilityId })
      const count = facility?.archivedAt === null ? await work(tx, { tenantId, facility }) : 0
      if (upkeep !== null && count > 0)
        await ctx.recorder?.note(tx, { id: upkeep, access: { docks: 'clerk' } }, { facilityId })
      return count
    })
  }
  return sum
}

interface OpenPlace {
  tenantId: string
  facility: Facility
}
