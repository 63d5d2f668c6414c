import type { ErrorCode, StudioError } from '../../../kernel'
import { PLACEMENT_TEXTS, REASON_TEXTS } from '../../booking/rules/booking-rules'

const SLOT_ERRORS: readonly ErrorCode[] = ['facility_closed', 'fully_booked', 'no_slot', 'slot_unavailable']

/** Why a request got no slot: the first reason that its error names, but `full` before all others. Null for other errors. */
export function findRefusalReason({ code, details }: StudioError): string | null {
  if (!SLOT_ERRORS.includes(code)) return null
  const reasons = details.flatMap((detail) => ('reason' in detail ? [String(detail.reason)] : []))
  return reasons.find((reason) => reason === 'full') ?? reasons[0] ?? code
}

export function describeRefusalReason(reason: string): string {
  const texts: Record<string, string> = { ...PLACEMENT_TEXTS, ...REASON_TEXTS }
  return texts[reason] ?? reason
}
