import { type AddedSpan, DoorBoard, type Occupant } from './door-board'
import { FewestMoves, type WorkBudget } from './fewest-moves'
import { RepairDoors } from './repair-doors'

export type RoomResult =
  /** The door of the added one, and the new doors of the occupants that move, by their index. */
  | { door: number; moves: ReadonlyMap<number, number> }
  /** `isComplete`: there is none. Otherwise the search ended before it knew. */
  | { door: null; isComplete: boolean }

/** What the search for one start may do: some tens of milliseconds. */
const COMPLETE_WORK = 100_000
const REPAIR_WORK = 300_000

/**
 * Finds which occupants to move to other doors, at their own times, so that one more fits. A complete search finds the fewest moves; if it ends
 * before it knows, repairs may still find some. Yields between the two.
 */
export function* makeRoom(
  { occupants, doorCount, bufferMs }: { occupants: readonly Occupant[]; doorCount: number; bufferMs: number },
  added: AddedSpan,
  budget: WorkBudget,
): Generator<null, RoomResult> {
  const board = new DoorBoard(occupants, added, bufferMs)
  const complete = spend(budget, COMPLETE_WORK, (own) => new FewestMoves(board, own).find())
  if (complete === 'none') return { door: null, isComplete: true }
  if (complete !== 'ended') return toResult(board, complete)
  yield null
  const repaired = spend(budget, REPAIR_WORK, (own) => new RepairDoors(board, doorCount, own).find())
  return repaired === null ? { door: null, isComplete: false } : toResult(board, repaired)
}

/** Does work with a part of the budget. */
function spend<Result>(budget: WorkBudget, most: number, work: (own: WorkBudget) => Result): Result {
  const given = Math.min(most, budget.left)
  const own = { left: given }
  const result = work(own)
  budget.left -= given - own.left
  return result
}

function toResult({ occupants, added }: DoorBoard, at: Int32Array): RoomResult {
  const moved = occupants.flatMap(({ door }, index) => (at[index] === door ? [] : [[index, at[index]!] as const]))
  return { door: at[added]!, moves: new Map(moved) }
}
