import type { ResultOf } from '../../../src/catalog'
import { type Canvas, facts, printableLine } from '../../terminal/layout'

type Shown = ResultOf<'facilities.get-check'> & { secret?: string | null }

export function renderBookingCheck(shown: Shown, canvas: Canvas): string {
  const { secret = null } = shown
  const settings = facts(canvas, [
    ['Facility', printableLine(shown.facilityCode)],
    ['Endpoint', printableLine(shown.url)],
    ['Waits', `${shown.timeoutSeconds} s for an answer`],
    ['If away', shown.ifAway === 'accept' ? 'bookings are accepted unchecked' : 'bookings are refused'],
    ['Secret', secret],
  ])
  return secret === null
    ? settings
    : `${settings}\nStore the secret now: it is not shown again. It checks the signature of each request.\n`
}
