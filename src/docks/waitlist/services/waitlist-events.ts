import type { Context } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { WriteTx } from '../../../storage'
import type { Facility } from '../../facilities/rules/facility'
import { insertWaitlistEvent, type WaitlistEntry, type WaitOffer } from '../../queries'
import type { ListedWaitlistEntry, WaitlistEvent } from '../schemas'

/** Where an entry waits. */
export interface EventPlace {
  tenantId: string
  facility: Pick<Facility, 'id' | 'name' | 'code' | 'timeZone'>
}

interface WaitlistHappening extends Pick<WaitlistEvent, 'event'>, Pick<WaitlistEvent['data'], 'cause'> {
  /** With the offer that it is about, which may have ended. */
  entry: WaitlistEntry
}

/** Called in the transaction of what happened, so that no event is lost and none is sent of what was rolled back. */
export async function recordWaitlistEvent(
  { clock }: Pick<Context, 'clock'>,
  tx: WriteTx,
  { tenantId, facility }: EventPlace,
  { event, entry, cause }: WaitlistHappening,
): Promise<void> {
  const { holdId, offer } = entry
  const at = clock.now()
  const happened: Omit<WaitlistEvent, 'id'> = {
    event,
    timestamp: formatInstant(at),
    data: {
      entry: { ...presentWaiting(entry, facility), facilityName: facility.name },
      offer: holdId !== null && offer !== null ? presentOffer(holdId, offer) : null,
      cause,
    },
  }
  const { carrierName } = entry.request
  const about = { tenantId, facilityId: facility.id, carrierName, entryId: entry.id, type: event, at }
  await insertWaitlistEvent(tx, { ...about, event: JSON.stringify(happened) })
}

/** What an entry waits for, as the site sees it. */
export function presentWaiting(
  { id, request, createdAt }: WaitlistEntry,
  { id: facilityId, code, timeZone }: EventPlace['facility'],
): Omit<ListedWaitlistEntry, 'position' | 'offer'> {
  return { id, facilityId, facilityCode: code, timeZone, ...request, createdAt: formatInstant(createdAt) }
}

export function presentOffer(holdId: string, offer: WaitOffer): NonNullable<ListedWaitlistEntry['offer']> {
  return {
    holdId,
    startTime: formatInstant(offer.startAt),
    endTime: formatInstant(offer.endAt),
    doorName: offer.doorName,
    expiresAt: formatInstant(offer.expiresAt),
  }
}
