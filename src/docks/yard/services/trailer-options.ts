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

export const EMPTY_FLAG: ExtraFlag = { flag: '--no-loaded', about: 'It is empty now', standsFor: ['loaded'] }
