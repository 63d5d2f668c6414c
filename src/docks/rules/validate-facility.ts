import type { Closure, FacilityRules, WeeklyHours } from './facility'

/** The parts of a facility that must fit each other. */
export interface FacilityDraft extends Pick<FacilityRules, 'minMinutes' | 'maxMinutes'> {
  defaultMinutes?: number
  queues: WeeklyHours[]
  breaks: WeeklyHours[]
  closures: Closure[]
  doors: { name: string }[]
}

/** As many as a record takes; to close some dates, or to open some amid others, makes one more. */
export const MAX_CLOSURES = 1000

export interface Contradiction {
  path: (string | number)[]
  message: string
}

/** What in a facility contradicts something else in it; empty for a sound one. */
export function findContradictions(facility: FacilityDraft): Contradiction[] {
  return [
    ...checkLimits(facility),
    ...checkDoorNames(facility),
    ...checkDoorReferences('queues', facility),
    ...checkDoorReferences('breaks', facility),
    ...checkClosureCount(facility),
    ...facility.closures.flatMap(({ from, to }, index) =>
      from <= to ? [] : [{ path: ['closures', index, 'to'], message: `must not be before ${from}` }],
    ),
  ]
}

function checkLimits({ minMinutes, maxMinutes, defaultMinutes }: FacilityDraft): Contradiction[] {
  if (maxMinutes < minMinutes) return [{ path: ['maxMinutes'], message: `must be at least minMinutes, ${minMinutes}` }]
  if (defaultMinutes === undefined || (minMinutes <= defaultMinutes && defaultMinutes <= maxMinutes)) return []
  return [{ path: ['defaultMinutes'], message: `must be within ${minMinutes}..${maxMinutes}` }]
}

function checkClosureCount({ closures }: FacilityDraft): Contradiction[] {
  if (closures.length <= MAX_CLOSURES) return []
  return [{ path: ['closures'], message: `must be at most ${MAX_CLOSURES}, not ${closures.length}` }]
}

function checkDoorNames({ doors }: FacilityDraft): Contradiction[] {
  const names = doors.map((door) => door.name)
  return names.flatMap((name, index) =>
    names.indexOf(name) === index ? [] : [{ path: ['doors', index, 'name'], message: `${name} is there already` }],
  )
}

function checkDoorReferences(field: 'queues' | 'breaks', facility: FacilityDraft): Contradiction[] {
  const known = new Set(facility.doors.map((door) => door.name))
  return facility[field].flatMap(({ doors }, index) =>
    (doors ?? []).flatMap((name, place) =>
      known.has(name) ? [] : [{ path: [field, index, 'doors', place], message: `there is no door ${name}` }],
    ),
  )
}
