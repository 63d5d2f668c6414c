import type { ExtraFlag } from '../../../kernel'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'

/** The command-line binding of the commands that name a trailer. */
export const trailerCli = {
  args: ['id'],
  argumentNames: { id: 'trailer' },
  extraFlags: [{ ...facilityFlag, about: 'The facility, if trailers with the number are in several yards' }],
  toInput: toFacilityInput,
}
export const trailerFlags = facilityFieldFlags

/** The flags of what is recorded of a trailer. */
export const trailerFieldFlags = {
  carrierName: { name: 'carrier', value: 'name' },
  appointment: { value: 'id|reference' },
  spotName: { name: 'spot', value: 'name' },
  doorName: { name: 'door', value: 'name' },
  at: { value: 'time' },
} as const

/** Of a trailer that is in the yard already. `EMPTY_FLAG` sets the opposite. */
export const LOADED_FLAG = { about: 'It is loaded now' } as const

export const EMPTY_FLAG: ExtraFlag = { flag: '--no-loaded', about: 'It is empty now', standsFor: ['loaded'] }
