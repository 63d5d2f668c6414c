import { hint, inputError, StudioError, suggest } from '../../../kernel'
import type { ReadTx } from '../../../storage'
import type { Facility } from '../../facilities/rules/facility'
import { findDoors, findTrailerAt, findYardSpot } from '../../queries'

export interface PlaceChoice {
  spotName?: string | null
  doorName?: string | null
}

interface Place {
  spotId: string | null
  doorId: string | null
  /** In messages. */
  name: string
}

/** The place, which must be free or have the trailer itself. Throws `invalid` if there is none of the name, and `conflict` if another trailer is there. */
export async function resolvePlace(
  tx: ReadTx,
  facility: Facility,
  { spotName, doorName }: PlaceChoice,
  trailerId: string | null,
): Promise<Place> {
  if (spotName != null && doorName != null)
    throw inputError([{ path: 'doorName', message: 'cannot be combined with spotName' }])
  if (spotName == null && doorName == null) return { spotId: null, doorId: null, name: 'the yard' }
  const place = spotName == null ? await findDoor(tx, facility, doorName!) : await findSpot(tx, facility, spotName)
  const { spotId, doorId } = place
  const there = await findTrailerAt(tx, spotId === null ? { doorId: doorId! } : { spotId })
  if (there === null || there.id === trailerId) return place
  throw new StudioError('conflict', `The trailer ${there.number} is at ${place.name}.`, {
    hint: hint`Move it first: ${suggest('yard.move', { id: there.id, spotName: '<spot>' })}. Show what is free: ${suggest('yard.board', { id: facility.code })}`,
  })
}

async function findSpot(tx: ReadTx, { id, code }: Facility, name: string): Promise<Place> {
  const spot = await findYardSpot(tx, id, name)
  if (spot) return { spotId: spot.id, doorId: null, name: spot.name }
  throw inputError(
    [{ path: 'spotName', message: `is no spot of ${code}` }],
    hint`Add it: ${suggest('yard.add-spots', { id: code, names: name })}`,
  )
}

async function findDoor(tx: ReadTx, { id, code }: Facility, name: string): Promise<Place> {
  const door = (await findDoors(tx, id)).find((one) => one.name === name)
  if (door) return { spotId: null, doorId: door.id, name: door.name }
  throw inputError([{ path: 'doorName', message: `is no door of ${code}` }])
}
