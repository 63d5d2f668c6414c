import * as z from 'zod'
import { formatInstant } from '../../kernel/time'
import { stepFields } from '../booking/schemas'
import { Text } from '../rules/text'
import { FacilityCode, FacilityId, Instant, Name } from '../schemas'
import type { TrailerRecord } from './queries/trailers'
import { measureStay } from './rules/trailer-steps'

/** Numbers are compared without spaces and punctuation, in any letter case, so each needs a letter or a digit. */
export const TrailerNumber = Text.min(1)
  .max(50)
  .regex(/[\p{L}\p{N}]/u, 'must have a letter or a digit')

/** Identifies a trailer that is in the yard by its number, or any by its ID. */
export const trailerChoice = {
  id: Text.min(1).max(100).describe('Trailer ID, or the number of a trailer that is in the yard'),
  facilityId: FacilityId.optional().describe('The facility, if trailers with the number are in several yards'),
  facilityCode: FacilityCode.optional().describe('The facility, if trailers with the number are in several yards'),
}

export const placeOfTrailer = {
  spotName: Name.nullish().describe('Spot where it is parked'),
  doorName: Name.nullish().describe('Door at which it is parked'),
}

export const trailerFields = {
  number: TrailerNumber.describe('Number of the trailer'),
  carrierName: Text.min(1).max(200).describe('Carrier company name'),
  loaded: z.boolean().describe('Whether it is loaded; otherwise it is empty'),
  appointment: Text.min(1)
    .max(200)
    .nullish()
    .describe('The appointment of its load: the ID, or a reference that is scheduled at the facility'),
  note: Text.min(1).max(1000).nullish().describe('Note for the board'),
}

/** When a step of a trailer happened. */
export const whenField = { at: stepFields.at }

export const Trailer = z.object({
  id: z.string(),
  facilityId: z.string(),
  facilityCode: z.string(),
  timeZone: z.string(),
  number: z.string(),
  carrierName: z.string(),
  loaded: z.boolean(),
  spotName: z.string().nullable().describe('Spot where it is parked, or was last'),
  doorName: z.string().nullable().describe('Door at which it is parked, or was last'),
  appointmentId: z.string().nullable(),
  referenceNumber: z.string().nullable().describe('Of its appointment; null if that is archived'),
  note: z.string().nullable(),
  arrivedAt: Instant,
  placedAt: Instant.describe('When it came to its place'),
  leftAt: Instant.nullable().describe('Null while it is in the yard'),
  dwellMinutes: z.int().describe('From its arrival until it left, or until now'),
  detentionMinutes: z.int().describe('How much of that is beyond the free time of the facility'),
})

export type Trailer = z.output<typeof Trailer>

export function presentTrailer(trailer: TrailerRecord, now: number): Trailer {
  const { spotId: _spotId, doorId: _doorId, trailerFreeHours, arrivedAt, placedAt, leftAt, ...shown } = trailer
  return {
    ...shown,
    arrivedAt: formatInstant(arrivedAt),
    placedAt: formatInstant(placedAt),
    leftAt: leftAt === null ? null : formatInstant(leftAt),
    ...measureStay(trailer, { trailerFreeHours, now }),
  }
}
