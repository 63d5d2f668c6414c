import * as z from 'zod'
import { detailsOf, inputError, wordsFor } from '../../kernel'
import { formatDate } from '../rules/calendar-date'
import { type Facility, type FacilityChoice, isFacilityGiven } from '../rules/facility'
import { dayAt } from '../rules/zoned-time'
import { Booking, CalendarDate, EQUIPMENT_ID_MISMATCH, hasOneEquipmentId, Name } from '../schemas'
import { parseFacilityName } from './facility-options'

/** A booking that another system has made already: it may say when and at which door. */
const ImportedBooking = z
  .strictObject({
    ...Booking.shape,
    facility: Name.nullish(),
    targetDate: CalendarDate.nullish(),
    startTime: z.iso.datetime({ offset: true, error: 'must be an instant, as 2027-03-01T06:00:00-06:00' }).nullish(),
    doorName: Name.nullish(),
  })
  .refine(({ targetDate, startTime }) => targetDate != null || startTime != null, {
    path: ['targetDate'],
    message: 'is required, or startTime',
    when: () => true,
  })
  .refine(hasOneEquipmentId, EQUIPMENT_ID_MISMATCH)
export type ImportedBooking = z.output<typeof ImportedBooking>

/** Throws `invalid`, field by field. `elsewhere` is the facility of the rows that name none. */
export function parseImportedBooking(
  fields: Record<string, unknown>,
  elsewhere: FacilityChoice,
): ImportedBooking & { choice: FacilityChoice } {
  const parsed = ImportedBooking.safeParse(fields, { error: wordsFor, reportInput: true })
  if (!parsed.success) throw inputError(detailsOf(parsed.error))
  const { facility, facilityId, facilityCode } = parsed.data
  const named = facility ? parseFacilityName(facility) : { facilityId, facilityCode }
  const choice = isFacilityGiven(named) ? named : elsewhere
  if (!isFacilityGiven(choice)) throw inputError([{ path: 'facilityCode', message: 'is required, or --facility' }])
  return { ...parsed.data, choice }
}

/** The date that it is for: its own, else the one at the facility on which it starts. They must agree. */
export function resolveTargetDate({ targetDate, startTime }: ImportedBooking, { timeZone }: Facility): string {
  const started = startTime == null ? null : formatDate(dayAt(timeZone, Date.parse(startTime)))
  if (started !== null && targetDate != null && started !== targetDate) {
    throw inputError([{ path: 'startTime', message: `is on ${started} at the facility, not on ${targetDate}` }])
  }
  return targetDate ?? started!
}
