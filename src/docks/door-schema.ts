import { StudioError } from '../kernel'
import { type FacilityWithDoors, Name } from './facility-schema'
import { quoteFacilityName } from './rules/facility'
import { FacilityCode, FacilityId } from './schemas'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from './services/facility-flag'

/** How a caller names a door: the facility, and the door's name in it. */
export const doorInput = {
  facilityId: FacilityId.optional(),
  facilityCode: FacilityCode.optional(),
  name: Name.describe('Name of the door'),
}

/** Binding data that all commands of doors have. */
export const doorCli = { extraFlags: [facilityFlag], toInput: toFacilityInput }
export const doorFieldFlags = { ...facilityFieldFlags, name: { value: 'name' } } as const

/** Throws `not_found`. */
export function requireDoor(facility: FacilityWithDoors, name: string): FacilityWithDoors['doors'][number] {
  const door = facility.doors.find((candidate) => candidate.name === name)
  if (door) return door
  throw new StudioError('not_found', `There is no door ${name} at ${facility.code}.`, {
    hint: `See which there are: studio door list --facility ${quoteFacilityName(facility)}`,
  })
}
