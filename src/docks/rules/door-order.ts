import type { Door } from './facility'

/** The doors with one at that place, counted from 1, and all of them numbered anew; past the end is the end. */
export function insertDoorAt(doors: readonly Door[], door: Door, position: number): Door[] {
  const others = doors.filter(({ id }) => id !== door.id)
  return numberDoors([...others.slice(0, position - 1), door, ...others.slice(position - 1)])
}

/** In the order in which they stand the doors get the positions 1, 2, 3… */
export function numberDoors(doors: readonly Door[]): Door[] {
  return doors.map((door, index) => ({ ...door, position: index + 1 }))
}
