import type { ReadTx, WriteTx } from '../../../storage'
import { docksTables } from '../../queries/docks-tables'

export const awayChoices = ['accept', 'refuse'] as const

/** The endpoint that a facility asks about a booking before it is made. */
export interface BookingCheck {
  url: string
  secret: string
  timeoutMs: number
  /** What happens with a booking if the endpoint gives no answer. */
  ifAway: (typeof awayChoices)[number]
}

export async function findBookingCheck(tx: ReadTx, facilityId: string): Promise<BookingCheck | null> {
  const row = await docksTables(tx)
    .selectFrom('facility')
    .select(['check_url as url', 'check_secret as secret', 'check_timeout_ms as timeoutMs', 'check_if_away as ifAway'])
    .where('id', '=', facilityId)
    .executeTakeFirst()
  return row?.url == null ? null : (row as BookingCheck)
}

/** Null removes it. */
export async function saveBookingCheck(tx: WriteTx, facilityId: string, check: BookingCheck | null): Promise<void> {
  await docksTables(tx)
    .updateTable('facility')
    .set({
      check_url: check?.url ?? null,
      check_secret: check?.secret ?? null,
      check_timeout_ms: check?.timeoutMs ?? null,
      check_if_away: check?.ifAway ?? null,
    })
    .where('id', '=', facilityId)
    .execute()
}
