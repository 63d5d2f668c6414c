import type { WriteTx } from '../../../storage'
import { toBookedSpan } from '../../facilities/rules/conflicts'
import type { Facility } from '../../facilities/rules/facility'
import { type ChangedAppointment, findDoors, listBusySpans } from '../../queries'
import { getDecisiveSpan } from '../rules/limits'
import { PlacementCheck, type PlacementReason } from '../rules/placement'

/** The first of the moves that the facility's rules do not allow, beside the others at their new places and all other appointments; null if none. */
export async function findRefusedMove(
  tx: WriteTx,
  facility: Facility,
  moves: readonly ChangedAppointment[],
  now: number,
): Promise<{ move: ChangedAppointment; reason: PlacementReason } | null> {
  const doors = await findDoors(tx, facility.id)
  const except = moves.map(({ before }) => before.id)
  const freed = moves.map(({ before }) => toBookedSpan(before))
  for (const move of moves) {
    const place = toBookedSpan(move.after)
    const placed = moves.filter((other) => other !== move).map(({ after }) => toBookedSpan(after))
    const busy = await listBusySpans(tx, facility, getDecisiveSpan(facility, place), { now, except })
    const own = { freed, placed, ownTime: toBookedSpan(move.before) }
    const reason = new PlacementCheck(facility, doors, [...busy, ...placed], own).findReason(place)
    if (reason !== null) return { move, reason }
  }
  return null
}
