import type { AddedSpan, Occupant } from '../../src/docks/booking/rules/door-board'
import { solveProgram } from '../../src/docks/planning/solver/solve-program'

/**
 * The fewest moves to other doors that make room for one more, by an integer program of its own; null if there are none. Its columns are an
 * occupant, or the added one, at a door; of those that are at a door when one of them comes, only one can be there.
 */
export async function findFewestMoves(
  occupants: readonly Occupant[],
  { doorCount, bufferMs }: { doorCount: number; bufferMs: number },
  added: AddedSpan,
): Promise<number | null> {
  const staying = occupants.filter(({ listDoors }) => listDoors === null)
  const moving = [
    ...occupants.flatMap(({ listDoors, ...one }) => (listDoors ? [{ ...one, doors: listDoors() }] : [])),
    { ...added, door: -1 },
  ]
  const columns: { cost: number; upper: number; rows: number[]; values: number[]; item: number; door: number }[] = []
  const rows: { lower: number; upper: number }[] = []
  for (const [item, { from, to, door: home, doors }] of moving.entries()) {
    rows.push({ lower: 1, upper: 1 })
    const isTaken = (door: number) =>
      staying.some((other) => other.door === door && other.from < to + bufferMs && from < other.to + bufferMs)
    for (const door of new Set(home < 0 ? doors : [home, ...doors])) {
      if (isTaken(door)) continue
      const cost = door === home || home < 0 ? 0 : 1
      columns.push({ cost, upper: 1, rows: [item], values: [1], item, door })
    }
  }
  for (let door = 0; door < doorCount; door++) {
    const there = columns.filter((column) => column.door === door)
    for (const { item } of there) {
      const moment = moving[item]!.from
      const together = there.filter(({ item: other }) => {
        const { from, to } = moving[other]!
        return from <= moment && moment < to + bufferMs
      })
      if (together.length < 2) continue
      rows.push({ lower: Number.NEGATIVE_INFINITY, upper: 1 })
      for (const column of together) {
        column.rows.push(rows.length - 1)
        column.values.push(1)
      }
    }
  }
  const solution = await solveProgram({ columns, rows }, Number.POSITIVE_INFINITY)
  return solution?.values ? solution.least : null
}
