import { StudioError } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import { MINUTE_MS } from '../../../kernel/time'
import type { CarrierAdmission, Facility } from '../../facilities/rules/facility'
import { getLocalDay } from '../../rules/zoned-time'

/** The facility as a carrier that it admits may use it, with the carrier's own limits; null if it does not admit the carrier. */
export function restrictToCarrier<Found extends Facility>(facility: Found, carrier: string, now: number): Found | null {
  const admission = facility.carriers.find(({ name }) => name === carrier)
  if (!admission) return null
  const { daysAhead, perDay } = admission
  const today = getLocalDay(facility.timeZone, now)
  const daily = {
    name: carrier,
    unit: 'appointments',
    per: 'day',
    types: null,
    carriers: [carrier],
    eachCarrier: false,
  } as const
  return {
    ...facility,
    limits: perDay === null ? facility.limits : [...facility.limits, { ...daily, carriers: [carrier], max: perDay }],
    caller: { ...admission, lastDay: daysAhead === null ? Number.POSITIVE_INFINITY : today + daysAhead },
  }
}

/** How many slots the caller may hold at once. A carrier may hold no more than it may book on a date. */
export function getHoldLimit({ caller }: Facility, max: number): number {
  return Math.min(max, caller?.perDay ?? max)
}

/** Removes what a carrier must not see: the other carriers, limits that may count them, and texts of the staff. */
export function hideOtherCarriers<Found extends Facility>(facility: Found): Found {
  const { caller } = facility
  if (!caller) return facility
  const { lastDay: _, ...admission } = caller
  return {
    ...facility,
    carriers: [admission],
    limits: [],
    customFields: facility.customFields.filter(({ seenBy }) => seenBy === 'everyone'),
    blockedTimes: facility.blockedTimes.map((blocked) => ({ ...blocked, reason: null })),
  }
}

/** A carrier must not move an appointment that it can no longer cancel: it could cancel it after that. */
const cutoffs = {
  change: ['changeCutoffMinutes'],
  move: ['changeCutoffMinutes', 'cancelCutoffMinutes'],
  cancel: ['cancelCutoffMinutes'],
} as const satisfies Record<string, readonly (keyof CarrierAdmission)[]>

/** Throws `invalid_state` if the caller is a carrier and it is too late for it to change, move or cancel an appointment. */
export function requireBeforeCutoff(
  { caller, code }: Facility,
  { startAt }: { startAt: number },
  { action, now }: { action: keyof typeof cutoffs; now: number },
): void {
  if (!caller) return
  const minutes = Math.max(...cutoffs[action].map((cutoff) => caller[cutoff]))
  if (now < startAt && startAt - now >= minutes * MINUTE_MS) return
  const limit = minutes === 0 ? 'after it has started' : `less than ${pluralize(minutes, 'minute')} before its start`
  throw new StudioError('invalid_state', `${caller.name} cannot ${action} an appointment at ${code} ${limit}.`, {
    hint: 'Contact the facility to make this change.',
  })
}
