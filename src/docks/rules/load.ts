import type { AppointmentType, Door } from './facility'

/** What a door must have for a load. */
export interface LoadRequirements {
  /** Features of the door, separated by spaces; null for none. */
  requirements: string | null
  /** Height of the trailer in inches; null if it fits every door. */
  equipmentHeight: number | null
}

/** What decides where and when a load can be booked, beside its length. */
export interface Load extends LoadRequirements {
  type: AppointmentType
  /** Null for a hold without a carrier. */
  carrierName: string | null
  palletCount: number | null
}

/** What limits count. */
export type CountedLoad = Pick<Load, 'type' | 'carrierName' | 'palletCount'>

interface RequestedLoad {
  type: AppointmentType
  carrierName?: string | null
  palletCount?: number | null
  requirements?: readonly string[] | null
  equipmentHeight?: number | null
}

export function toLoad({ type, carrierName = null, palletCount = null, ...requested }: RequestedLoad): Load {
  return { type, carrierName, palletCount, ...toRequirements(requested) }
}

/** The requirements of a request, as they are stored. */
export function toRequirements(requested: Pick<RequestedLoad, 'requirements' | 'equipmentHeight'>): LoadRequirements {
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
