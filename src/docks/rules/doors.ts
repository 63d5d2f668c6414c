import type { Door, FacilityRules, WeeklyHours } from './facility'

/** The doors with one at that place, counted from 1, and all of them numbered anew; past the end is the end. */
export function insertDoorAt(doors: readonly Door[], door: Door, position: number): Door[] {
  const others = doors.filter(({ id }) => id !== door.id)
  return numberDoors([...others.slice(0, position - 1), door, ...others.slice(position - 1)])
}

/** In the order in which they stand the doors get the positions 1, 2, 3… */
export function numberDoors(doors: readonly Door[]): Door[] {
  return doors.map((door, index) => ({ ...door, position: index + 1 }))
}

/** The facility with a door renamed, in the hours that name it too. */
export function renameDoor<Facility extends Pick<FacilityRules, 'queues' | 'breaks'> & { doors: Door[] }>(
  facility: Facility,
  name: string,
  newName: string,
): Facility {
  if (newName === name) return facility
  const renamed = <Hours extends WeeklyHours>(hours: Hours): Hours => ({
    ...hours,
    doors: hours.doors?.map((door) => (door === name ? newName : door)) ?? null,
  })
  return {
    ...facility,
    queues: facility.queues.map(renamed),
    breaks: facility.breaks.map(renamed),
    doors: facility.doors.map((door) => (door.name === name ? { ...door, name: newName } : door)),
  }
}
