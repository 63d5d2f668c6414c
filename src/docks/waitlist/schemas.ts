import * as z from 'zod'
import { shownWaiting } from '../booking/rules/load-schemas'
import { ShownReference } from '../booking/schemas'
import type { WaitlistEventType } from '../events/rules/event-types'
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

const WaitlistOffer = z.object({
  holdId: z.string(),
  startTime: Instant,
  endTime: Instant,
  doorName: z.string(),
  expiresAt: Instant.describe('Accept it before'),
})

export const ListedWaitlistEntry = z.object({
  id: z.string(),
  position: z.int().describe('Place in the order, from 1'),
  facilityId: z.string(),
  facilityCode: z.string(),
  timeZone: z.string(),
  ...waitRequest,
  createdAt: Instant,
  offer: WaitlistOffer.nullable().describe('The slot that is held for it; null while it waits'),
})

export type ListedWaitlistEntry = z.output<typeof ListedWaitlistEntry>

/** What happened to an entry, as the systems and the contacts of a tenant get it. */
export interface WaitlistEvent {
  event: WaitlistEventType
  /** Higher than that of every earlier event of the entry. */
  id: number
  /** When it happened. */
  timestamp: string
  data: {
    /** The entry as it was then. */
    entry: Omit<ListedWaitlistEntry, 'position' | 'offer'> & { facilityName: string }
    /** The slot that is offered, or whose offer has ended; null if none was. */
    offer: ListedWaitlistEntry['offer']
    /** Why an offer ended or the entry was removed; null for a new offer. */
    cause: EndOfOffer | EndOfWaiting | null
  }
}

/** Why an offer ended while its entry stays. `withdrawn`: its facility has changed. */
export type EndOfOffer = 'declined' | 'expired' | 'withdrawn'

/** Why an entry left the waitlist. `booked`: its reference was booked otherwise. `over`: its last date has passed. */
export type EndOfWaiting = 'accepted' | 'booked' | 'removed' | 'over'
