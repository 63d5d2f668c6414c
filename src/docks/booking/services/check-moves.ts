import { toBookedSpan } from '../../facilities/rules/conflicts'
import type { Door, FacilityRules } from '../../facilities/rules/facility'
import type { ChangedAppointment } from '../../queries'
import { getDecisiveSpan } from '../rules/limits'
import { PlacementCheck, type PlacementReason } from '../rules/placement'
import type { BusySpan, Span } from '../rules/spans'

/** A facility, and who is there beside those that move. */
interface Site {
  facility: FacilityRules
  doors: readonly Door[]
  listBusy(span: Span): readonly BusySpan[] | Promise<readonly BusySpan[]>
}

/** The first of the moves that the facility's rules do not allow, beside the others at their new places and all other appointments; null if none. */
export async function findRefusedMove(
  { facility, doors, listBusy }: Site,
  moves: readonly ChangedAppointment[],
): Promise<{ move: ChangedAppointment; reason: PlacementReason } | null> {
  const freed = moves.map(({ before }) => toBookedSpan(before))
  for (const move of moves) {
    const place = toBookedSpan(move.after)
    const placed = moves.filter((other) => other !== move).map(({ after }) => toBookedSpan(after))
    const busy = await listBusy(getDecisiveSpan(facility, place))
    const own = { freed, placed, ownTime: toBookedSpan(move.before) }
    const reason = new PlacementCheck(facility, doors, [...busy, ...placed], own).findReason(place)
    if (reason !== null) return { move, reason }
  }
  return null
}
