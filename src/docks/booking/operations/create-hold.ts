import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import { MINUTE_MS } from '../../../kernel/time'
import type { StorageContext, WriteTx } from '../../../storage'
import { getHoldLimit } from '../../carriers/rules/carriers'
import { type Facility, nameFacility } from '../../facilities/rules/facility'
import { facilityFlag, toPlaceInput } from '../../facilities/services/facility-options'
import { findDoors, insertHold, listBusySpans, listHolders, removeExpiredHolds } from '../../queries'
import { countIfRefused } from '../../reports/services/count-refusals'
import { formatLocalDateTime } from '../../rules/zoned-time'
import { FACILITY_REQUIRED, isFacilityGiven, Success } from '../../schemas'
import {
  getCarrier,
  identifyCaller,
  isOwn,
  lockFacility,
  resolveCarrier,
  writeAppointments,
} from '../../services/tenant-access'
import { toLoad } from '../rules/load'
import { placingRequest } from '../rules/load-schemas'
import { isDoorOfCarrier, takeSlot } from '../rules/requested-slot'
import type { Span } from '../rules/spans'
import { bookingFields, checkPlace, placeFields, SlotHold } from '../schemas'
import { bookingFlags } from '../services/booking-flags'
import { planBooking } from '../services/booking-plan'
import { findPlace, findRequestedDoors } from '../services/find-place'
import { describeSlot, presentHold } from '../services/present-appointment'

const MAX_HOLD_MINUTES = 24 * 60
/** So that clients in a loop cannot take every slot of a facility. */
const MAX_HOLDS = 200
/** The part of them that one dock key, or one carrier, may have. */
const MAX_HOLDS_OF_CALLER = MAX_HOLDS / 4

export const createHold = operation({
  id: 'holds.create',
  summary: 'Reserve a slot for some minutes, while a carrier decides',
  description:
    'Holds the slot that a booking with the same fields would get. Until it expires, is released or is confirmed, no booking gets that slot. A hold is not an appointment: it is in no list of appointments and has no reference.',
  effect: 'write',
  access: { docks: 'clerk', carriers: true },
  input: checkPlace(
    z.strictObject({
      facilityId: bookingFields.facilityId,
      facilityCode: bookingFields.facilityCode,
      type: bookingFields.type,
      carrierName: bookingFields.carrierName.nullish().describe('Carrier for whom the slot is held'),
      targetDate: bookingFields.targetDate,
      durationMinutes: bookingFields.durationMinutes,
      ...placingRequest,
      ...placeFields,
      holdMinutes: z.int().min(1).max(MAX_HOLD_MINUTES).default(15).describe('Minutes until the hold expires'),
    }),
  ).refine(isFacilityGiven, FACILITY_REQUIRED),
  output: Success.extend({ data: SlotHold }),
  errors: ['not_found', 'date_in_past', 'facility_closed', 'fully_booked', 'no_slot', 'slot_unavailable', 'limited'],
  http: { method: 'post', path: '/api/holds', extension: true },
  cli: {
    command: 'hold create',
    extraFlags: [facilityFlag],
    flags: { ...bookingFlags, holdMinutes: { name: 'for', value: 'minutes' } },
    toInput: toPlaceInput,
    examples: [
      'studio hold create --facility DC1 --type delivery --at 2027-03-03T09:30 --carrier "Blue Freight"',
      'studio hold create --facility DC1 --type pickup --date 2027-03-03 --pallets 12 --for 30',
    ],
    seeAlso: ['hold confirm', 'hold release', 'facility availability', 'book'],
  },
  run(ctx: Context & StorageContext, input) {
    const request = { ...takeSlot(input, input.type), carrierName: resolveCarrier(ctx, input.carrierName) }
    return countIfRefused(ctx, request, () =>
      writeAppointments(ctx, async (tx) => {
        const now = ctx.clock.now()
        const { tenantId, ...facility } = await lockFacility(ctx, tx, request)
        await removeExpiredHolds(tx, facility.id, now)
        await requireRoomForHold(ctx, tx, facility)
        const plan = planBooking(facility, request, { now })
        const doors = await findDoors(tx, facility.id)
        const site = { facility, doors, busy: (span: Span) => listBusySpans(tx, facility, span, { now }) }
        const allowedDoors = findRequestedDoors(site, request.doorId)
        const load = toLoad(request)
        const { door, from, to } = await findPlace(site, { load, plan, allowedDoors })
        const hold = {
          id: ctx.ids.uuid(),
          facilityId: facility.id,
          facilityName: facility.name,
          facilityCode: facility.code,
          doorId: door.id,
          doorName: door.name,
          startAt: from,
          endAt: to,
          ...load,
          expiresAt: now + request.holdMinutes * MINUTE_MS,
          pinned: Number(isDoorOfCarrier(getCarrier(ctx), input)),
        }
        await insertHold(tx, hold, { tenantId, createdAt: now, caller: identifyCaller(ctx).id })
        const until = formatLocalDateTime(facility.timeZone, hold.expiresAt)
        return {
          status: 'success' as const,
          message: `Held until ${until}: ${describeSlot(hold, facility.timeZone)}.`,
          data: presentHold(hold, facility.timeZone),
        }
      }),
    )
  },
})

async function requireRoomForHold(ctx: Context, tx: WriteTx, facility: Facility): Promise<void> {
  const holders = await listHolders(tx, facility.id)
  if (holders.length >= MAX_HOLDS) throw tooManyHoldsError(`${facility.code} has ${MAX_HOLDS} holds`, facility)
  if (ctx.actor.kind !== 'dock') return
  const { caller } = facility
  const isCounted = (holder: (typeof holders)[number]) =>
    caller ? isOwn(ctx, holder) : holder.caller === identifyCaller(ctx).id
  const max = getHoldLimit(facility, MAX_HOLDS_OF_CALLER)
  if (holders.filter(isCounted).length >= max)
    throw tooManyHoldsError(
      `${caller?.name ?? 'This dock key'} has ${pluralize(max, 'hold')} at ${facility.code}`,
      facility,
    )
}

function tooManyHoldsError(fact: string, facility: Facility): StudioError {
  return new StudioError('limited', `${fact}, which is the maximum.`, {
    hint: hint`Release some, or wait until they expire: ${suggest('holds.list', { facilityCode: nameFacility(facility) })}`,
  })
}
