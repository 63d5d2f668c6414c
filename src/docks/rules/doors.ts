import type { Door, FacilityRules, WeeklyHours } from './facility'

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
