import { hint, StudioError, suggest } from '../../../kernel'
import type { ReadTx } from '../../../storage'
import { type Facility, nameFacility } from '../../facilities/rules/facility'
import { type BookingCheck, findBookingCheck } from '../queries/booking-checks'

/** Throws `not_found`. */
export async function requireBookingCheck(tx: ReadTx, facility: Facility): Promise<BookingCheck> {
  const check = await findBookingCheck(tx, facility.id)
  if (check) return check
  throw new StudioError('not_found', `The facility ${facility.code} has no booking check.`, {
    hint: hint`Set one: ${suggest('facilities.set-check', { id: nameFacility(facility), url: 'https://<host>/<path>' })}`,
  })
}
