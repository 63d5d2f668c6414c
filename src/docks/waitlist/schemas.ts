import * as z from 'zod'
import { shownWaiting } from '../booking/rules/load-schemas'
import { ShownReference } from '../booking/schemas'
import { AppointmentType, Instant } from '../schemas'

export const WaitlistEntryId = z.guid().toLowerCase().describe('ID of the entry')

/** Prevents that an answer to an offer that has ended is taken for an answer to a later offer. */
export const AnsweredHoldId = z.guid().toLowerCase().optional().describe('Answer only the offer with this hold ID')

const waitRequest = {
  type: AppointmentType,
  carrierName: z.string(),
  referenceNumber: z.string(),
  references: z.array(ShownReference).nullable(),
  targetDate: z.string(),
  lastDate: z.string(),
  notBefore: z.string().nullable(),
  notAfter: z.string().nullable(),
  doorId: z.string().nullable(),
  minutes: z.int().describe('Length of the appointment'),
  offerMinutes: z.int().describe('How long a slot is held for it'),
  ...shownWaiting,
}

const WaitRequest = z.object(waitRequest)

/** A booking that waits for a slot, as it is stored. */
export type WaitRequest = z.output<typeof WaitRequest>

export const ListedWaitlistEntry = z.object({
  id: z.string(),
  position: z.int().describe('Place in the order, from 1'),
  facilityId: z.string(),
  facilityCode: z.string(),
  timeZone: z.string(),
  ...waitRequest,
  createdAt: Instant,
  offer: z
    .object({
      holdId: z.string(),
      startTime: Instant,
      endTime: Instant,
      doorName: z.string(),
      expiresAt: Instant.describe('Accept it before'),
    })
    .nullable()
    .describe('The slot that is held for it; null while it waits'),
})

export type ListedWaitlistEntry = z.output<typeof ListedWaitlistEntry>
