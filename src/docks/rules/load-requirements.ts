import type { Door } from './facility'

/** What a door must have for a load. */
export interface LoadRequirements {
  /** Features of the door, separated by spaces; null for none. */
  requirements: string | null
  /** Height of the trailer in inches; null if it fits every door. */
  equipmentHeight: number | null
}

export const NO_REQUIREMENTS: LoadRequirements = { requirements: null, equipmentHeight: null }

/** The requirements of a request, as they are stored. */
export function toRequirements(requested: {
  requirements?: readonly string[] | null
  equipmentHeight?: number | null
}): LoadRequirements {
  return {
    requirements: requested.requirements?.join(' ') || null,
    equipmentHeight: requested.equipmentHeight ?? null,
  }
}

export function listRequirements({ requirements }: Pick<LoadRequirements, 'requirements'>): string[] {
  return requirements?.split(' ') ?? []
}

export function isSuitable(
  { features, maxHeight }: Pick<Door, 'features' | 'maxHeight'>,
  load: LoadRequirements,
): boolean {
  if (load.equipmentHeight !== null && maxHeight !== null && load.equipmentHeight > maxHeight) return false
  return load.requirements === null || listRequirements(load).every((feature) => features.includes(feature))
}
