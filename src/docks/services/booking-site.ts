import type { WriteTx } from '../../storage'
import { listBusySpans, readSite } from '../queries'
import { MINUTE_MS } from '../rules/calendar-date'
import type { Facility } from '../rules/facility'
import { listDayParts } from '../rules/local-time'
import type { Span } from '../rules/spans'
import type { BookingPlan, BookingSite } from './booking'

/**
 * A facility that the transaction holds, for one booking. What may matter of the date that is asked for is read at once; what is
 * taken on later dates when the search comes to them.
 */
export async function loadBookingSite(
  tx: WriteTx,
  { tenantId, facility }: { tenantId: string; facility: Facility },
  { plan, referenceNumber }: { plan: BookingPlan; referenceNumber: string },
): Promise<BookingSite> {
  const span = firstSearchSpan(facility, plan)
  const { doors, hasReference, busy } = await readSite(tx, { facilityId: facility.id, referenceNumber, span })
  return {
    tenantId,
    facility,
    doors,
    hasScheduled: async () => hasReference,
    busy: async (asked) => (containsSpan(span, asked) ? busy : listBusySpans(tx, facility.id, asked, null)),
  }
}

/** The date that is asked for, and as far as an appointment reaches that starts on it. */
function firstSearchSpan(facility: Facility, { firstDay, minutes, notBefore }: BookingPlan): Span {
  const parts = listDayParts(facility.timeZone, firstDay)
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) return { from: 0, to: 0 } // the zone skips the date
  return { from: Math.max(first.from, notBefore), to: last.to + minutes * MINUTE_MS }
}

function containsSpan(outer: Span, inner: Span): boolean {
  return outer.from <= inner.from && inner.to <= outer.to
}
