import { hint, StudioError, suggest } from '../../../kernel'
import { type Facility, nameFacility } from '../../facilities/rules/facility'

/**
 * When a booking may move others: on each date that has no free slot, before the next date is tried; or only if it would fail. Null for
 * never.
 */
export type RoomMode = 'each-date' | 'instead-of-failing' | null

/** For a carrier, which cannot change the facility. */
const WITHOUT_ROOM = 'Book without makeRoom, or contact the facility.'

/** Throws `invalid` if the facility makes no room for anyone, and `forbidden` if it makes none for the carrier that asks for it. */
export function resolveRoomMode(facility: Facility, isAsked: boolean): RoomMode {
  const { makeRoom, caller, code } = facility
  const isAllowed = caller?.makeRoom ?? true
  if (!isAsked) return makeRoom === 'always' && isAllowed ? 'instead-of-failing' : null
  if (!isAllowed) {
    throw new StudioError('forbidden', `${code} makes no room for bookings of ${caller!.name}.`, {
      hint: WITHOUT_ROOM,
    })
  }
  if (makeRoom !== 'never') return 'each-date'
  const message = `${code} makes no room for bookings: its setting makeRoom is never.`
  throw new StudioError('invalid', message, {
    hint: caller
      ? WITHOUT_ROOM
      : hint`Allow it: ${suggest('facilities.update', { id: nameFacility(facility), makeRoom: 'ask' })}`,
    details: [{ path: 'makeRoom', message: 'is not allowed while the setting makeRoom of the facility is never' }],
  })
}
