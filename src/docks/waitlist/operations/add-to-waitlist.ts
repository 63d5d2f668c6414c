import * as z from 'zod'
import { type Context, hint, inputError, operation, StudioError, suggest } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import { formatDate, parseDate } from '../../../kernel/time'
import type { StorageContext, WriteTx } from '../../../storage'
import { requireFutureDay, resolveMinutes } from '../../booking/rules/booking-rules'
import { toWaitingLoad } from '../../booking/rules/load'
import { loadRequest } from '../../booking/rules/load-schemas'
import { resolveReferences } from '../../booking/rules/references'
import { bookingFields, placeFields } from '../../booking/schemas'
import { listRequestedNumbers, requireUnusedReferences } from '../../booking/services/booking'
import { bookingFlags } from '../../booking/services/booking-flags'
import { ROLLOVER_DAYS } from '../../booking/services/booking-plan'
import { findRequestedDoors } from '../../booking/services/find-place'
import { describeSlot } from '../../booking/services/present-appointment'
import { getHoldLimit } from '../../carriers/rules/carriers'
import { applyVerdict, bookChecked, requireVerdict } from '../../checks/services/checked-booking'
import { resolveCustomValues } from '../../facilities/rules/custom-fields'
import type { Facility } from '../../facilities/rules/facility'
import { facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import {
  countWaitlistOf,
  findDoors,
  findWaitlistEntry,
  insertWaitlistEntry,
  listWaitlist,
  type WaitlistEntry,
} from '../../queries'
import { CalendarDate, FACILITY_REQUIRED, isFacilityGiven, Success } from '../../schemas'
import {
  getCarrier,
  identifyCaller,
  isOwn,
  lockFacility,
  resolveCarrier,
  writeAppointments,
} from '../../services/tenant-access'
import { ListedWaitlistEntry } from '../schemas'
import { offerFreeSlotsAt, presentEntry } from '../services/waitlist'

/** Each change of the appointments of a facility searches a slot for every entry. */
const MAX_ENTRIES = 200
/** The part of them that one dock key, or one carrier, may add, because each may hold a slot. */
const MAX_ENTRIES_OF_CALLER = MAX_ENTRIES / 4
const MAX_OFFER_MINUTES = 24 * 60

export const addToWaitlist = operation({
  id: 'waitlist.add',
  summary: 'Add an entry to the waitlist for a slot',
  description:
    'A slot that fits is held for the first entry of the waitlist until the offer is accepted, is declined or expires. If it is not accepted, the next entry gets the offer. A slot that is free now is offered immediately. The key of a carrier waits for its own loads, and its offers obey its limits at the facility.',
  effect: 'write',
  access: { docks: 'clerk', carriers: true },
  input: z
    .strictObject({
      facilityId: bookingFields.facilityId,
      facilityCode: bookingFields.facilityCode,
      type: bookingFields.type,
      carrierName: bookingFields.carrierName,
      referenceNumber: bookingFields.referenceNumber,
      references: bookingFields.references,
      targetDate: CalendarDate.describe('First possible date'),
      lastDate: CalendarDate.nullish().describe('Last possible date, at most 30 days later; the first one if missing'),
      notBefore: placeFields.notBefore,
      notAfter: placeFields.notAfter,
      doorId: placeFields.doorId,
      offerMinutes: z.int().min(1).max(MAX_OFFER_MINUTES).default(60).describe('How long a slot is held for an answer'),
      durationMinutes: bookingFields.durationMinutes,
      ...loadRequest,
    })
    .refine(isFacilityGiven, FACILITY_REQUIRED)
    .refine(({ notBefore, notAfter }) => !notBefore || !notAfter || notBefore <= notAfter, {
      path: ['notAfter'],
      message: 'must not be before notBefore',
    }),
  output: Success.extend({ data: ListedWaitlistEntry }),
  errors: ['not_found', 'date_in_past', 'duplicate_reference', 'conflict', 'booking_refused', 'unavailable'],
  http: { method: 'post', path: '/api/waitlist', extension: true },
  cli: {
    command: 'waitlist add',
    extraFlags: [facilityFlag],
    flags: {
      ...bookingFlags,
      lastDate: { name: 'until', value: 'YYYY-MM-DD' },
      offerMinutes: { name: 'answer-within', value: 'minutes' },
    },
    toInput: toFacilityInput,
    examples: [
      'studio waitlist add --facility DC1 --type delivery --carrier "Blue Freight" --reference PO-2001 --date 2027-03-01 --until 2027-03-03 --not-before 08:00 --not-after 14:00',
    ],
    seeAlso: ['waitlist accept', 'waitlist list', 'book', 'hold create'],
  },
  run(ctx: Context & StorageContext, { facilityId, facilityCode, durationMinutes, ...given }) {
    const carrierName = resolveCarrier(ctx, given.carrierName)
    const input = resolveReferences(given)
    const numbers = listRequestedNumbers(input)
    return bookChecked(ctx, (verdict) =>
      writeAppointments(ctx, async (tx) => {
        const now = ctx.clock.now()
        const { tenantId, ...facility } = await lockFacility(ctx, tx, { facilityId, facilityCode })
        const first = requireFutureDay(facility, { path: 'targetDate', date: input.targetDate }, now)
        const last = input.lastDate == null ? first : parseDate(input.lastDate)
        if (last < first || last > first + ROLLOVER_DAYS) {
          const message = `must be from ${input.targetDate} to ${formatDate(first + ROLLOVER_DAYS)}`
          throw inputError([{ path: 'lastDate', message }])
        }
        if (input.lastDate != null) requireFutureDay(facility, { path: 'lastDate', date: input.lastDate }, now)
        await requireUnusedReferences(tx, facility, numbers)
        const waiting = await listWaitlist(tx, facility.id)
        requireRoom(ctx, waiting, numbers)
        await requireOwnRoom(ctx, tx, facility)
        const doors = input.doorId == null ? [] : await findDoors(tx, facility.id)
        const asked = {
          ...input,
          ...resolveCustomValues(facility, input, null),
          carrierName,
          durationMinutes: durationMinutes ?? null,
        }
        await requireVerdict(tx, facility, { verdict, request: asked })
        const { durationMinutes: length, ...checked } = applyVerdict(asked, verdict)
        const request = {
          ...checked,
          references: input.references ?? null,
          lastDate: formatDate(last),
          notBefore: input.notBefore ?? null,
          notAfter: input.notAfter ?? null,
          doorId: input.doorId == null ? null : findRequestedDoors({ facility, doors }, input.doorId)[0]!.id,
          minutes: resolveMinutes(facility, { ...checked, durationMinutes: length }),
          ...toWaitingLoad(checked),
        }
        const entry = {
          id: ctx.ids.uuid(),
          facilityId: facility.id,
          request,
          // Later than all others, also if the clock was set back.
          createdAt: Math.max(now, (waiting.at(-1)?.createdAt ?? 0) + 1),
          holdId: null,
          offer: null,
          declined: [],
          carrier: getCarrier(ctx),
        }
        await insertWaitlistEntry(tx, entry, { tenantId, caller: identifyCaller(ctx).id })
        await offerFreeSlotsAt(ctx, tx, { tenantId, facilityId: facility.id })
        const saved = (await findWaitlistEntry(tx, tenantId, entry.id))!
        const position = waiting.length + 1
        return {
          status: 'success' as const,
          message: saved.offer
            ? `A slot is free and held for ${request.referenceNumber}: ${describeSlot(saved.offer, facility.timeZone)}.`
            : `${request.referenceNumber} is on the waitlist of ${facility.code}, at position ${position}.`,
          data: presentEntry(saved, facility, { position, now }),
        }
      }),
    )
  },
})

function requireRoom(
  ctx: Context,
  waiting: readonly Pick<WaitlistEntry, 'request'>[],
  numbers: readonly string[],
): void {
  // A carrier must not learn for which references others wait.
  const visible = waiting.filter(({ request }) => isOwn(ctx, request))
  const known = new Set(visible.flatMap(({ request }) => listRequestedNumbers(request)))
  const listed = numbers.find((number) => known.has(number))
  const what = listed
    ? `${listed} is already on the waitlist.`
    : `The waitlist of the facility is full: it has ${MAX_ENTRIES} entries.`
  if (listed || waiting.length >= MAX_ENTRIES)
    throw new StudioError('conflict', what, {
      hint: hint`List the entries: ${suggest('waitlist.list', { facilityCode: '<code>' })}`,
    })
}

async function requireOwnRoom(ctx: Context, tx: WriteTx, facility: Facility): Promise<void> {
  if (ctx.actor.kind !== 'dock') return
  const { caller: admission, code } = facility
  const max = getHoldLimit(facility, MAX_ENTRIES_OF_CALLER)
  const adder = { caller: identifyCaller(ctx).id, carrier: getCarrier(ctx) }
  if ((await countWaitlistOf(tx, facility.id, adder)) < max) return
  const who = admission?.name ?? 'This dock key'
  throw new StudioError(
    'conflict',
    `${who} has ${pluralize(max, 'entry', 'entries')} in the waitlist of ${code}, which is the maximum.`,
    {
      hint: hint`Remove some: ${suggest('waitlist.list', { facilityCode: '<code>' })}`,
    },
  )
}
