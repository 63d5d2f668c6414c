import { type Context, inputError } from '../../../kernel'
import { parseDate } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { findDoors, listHolds, sumUpChanges } from '../../queries'
import { getLocalDay } from '../../rules/zoned-time'
import { requireFacility } from '../../services/tenant-access'
import { getDaySpan } from '../rules/opening-hours'
import { parseFacilityName } from './facility-options'

/** Differs if the board of a facility does: a fraction of the cost of the board, for those who watch it. Throws `not_found`. */
export function readBoardVersion(
  ctx: Context & StorageContext,
  { id, date }: { id: string; date?: string },
): Promise<string> {
  return ctx.db.read(async (tx) => {
    const now = ctx.clock.now()
    const facility = await requireFacility(ctx, tx, parseFacilityName(id))
    const day = date === undefined ? getLocalDay(facility.timeZone, now) : parseDate(date)
    const span = getDaySpan(facility.timeZone, day)
    if (!span) throw inputError([{ path: 'date', message: `is a date that ${facility.timeZone} skipped` }])
    const doors = await findDoors(tx, facility.id)
    const holds = await listHolds(tx, facility.id, now)
    return JSON.stringify([day, facility, doors, holds, await sumUpChanges(tx, facility.id, span)])
  })
}
