import * as z from 'zod'
import {
  afterParts,
  type Context,
  inputError,
  isBoundToPlan,
  operation,
  settlePlan,
  withinTransaction,
} from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import { formatDate, formatInstant, parseDate, parseTimeOfDay } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { resolveReason } from '../../facilities/rules/change-reasons'
import type { Facility } from '../../facilities/rules/facility'
import { facilityFieldFlags, facilityFlag, toFacilityInput } from '../../facilities/services/facility-options'
import { saveAppointment } from '../../queries'
import { Text } from '../../rules/text'
import {
  AppointmentType,
  CalendarDate,
  EndTime,
  FACILITY_REQUIRED,
  FacilityCode,
  FacilityId,
  isFacilityGiven,
  Name,
  TimeOfDay,
} from '../../schemas'
import { createChange, lockFacility, requireFacility, writeAppointments } from '../../services/tenant-access'
import { offerFreeSlots } from '../../waitlist/services/waitlist'
import { requireFutureDay } from '../rules/booking-rules'
import { clearPolicies } from '../rules/clear-dates'
import { Reason } from '../schemas'
import {
  type ClearOutcome,
  type ClearRequest,
  findAppointmentsToClear,
  planClearing,
} from '../services/clear-appointments'

/** Enough to share the cost of a commit, and few enough that bookings do not wait long. */
const APPOINTMENTS_PER_TRANSACTION = 100
const MAX_DATES = 31
const CALL_TIMEOUT_MS = 5 * 60_000

const ClearInput = z
  .strictObject({
    facilityId: FacilityId.optional(),
    facilityCode: FacilityCode.optional(),
    date: CalendarDate.describe('The date at the facility'),
    endDate: CalendarDate.optional().describe('The last date, if several are cleared'),
    fromTime: TimeOfDay.optional().describe('Only appointments that end after this time of their date, such as 12:00'),
    toTime: EndTime.optional().describe('Only appointments that start before this time of their date, such as 18:00'),
    doorId: Name.optional().describe('Only at this door: its ID, or its name'),
    type: AppointmentType.optional().describe('Only appointments of this type'),
    carrierName: Text.min(1).max(200).optional().describe('Only appointments of this carrier'),
    policy: z
      .enum(clearPolicies)
      .describe(
        'Move them to another door or time of the same day, to the next open day with a free slot, to the same weekday of the next week, or to a date; or cancel them',
      ),
    targetDate: CalendarDate.optional().describe('Date to move them to, with the policy date'),
    reason: Reason,
    dryRun: z.boolean().default(false).describe('Show the outcome of each appointment without changing anything'),
  })
  .refine(isFacilityGiven, FACILITY_REQUIRED)
  .refine(({ policy, targetDate }) => (policy === 'date') === (targetDate !== undefined), {
    path: ['targetDate'],
    message: 'is required for the policy date, and for no other',
  })
  .refine(
    ({ policy, doorId, fromTime, toTime }) => policy !== 'same-day' || [doorId, fromTime, toTime].some((part) => part),
    { path: ['policy'], message: 'same-day needs a door or hours: otherwise the whole day is cleared' },
  )
type ClearInput = z.output<typeof ClearInput>

const ClearReport = z.object({
  dryRun: z.boolean(),
  facilityCode: z.string(),
  timeZone: z.string(),
  moved: z.int(),
  cancelled: z.int(),
  refused: z.int().describe('Number of appointments for which there is no free slot'),
  skipped: z.int().describe('Number of appointments that have begun'),
  results: z
    .array(
      z.object({
        id: z.string(),
        referenceNumber: z.string(),
        carrierName: z.string(),
        type: AppointmentType,
        outcome: z.enum(['moved', 'cancelled', 'refused', 'skipped']),
        startTime: z.string().describe('Start before'),
        doorName: z.string().describe('Door before'),
        newStartTime: z.string().nullable(),
        newEndTime: z.string().nullable(),
        newDoorName: z.string().nullable(),
        message: z.string().nullable().describe('Why it was not changed'),
      }),
    )
    .describe('One entry per appointment, by start'),
})
type ClearReport = z.output<typeof ClearReport>

export const clearAppointments = operation({
  id: 'appointments.clear',
  summary: 'Reschedule or cancel the appointments of a day, or of a part of it',
  description:
    'Each scheduled appointment moves to the free slot nearest to its local time, at its own door if that is free, and never to a cleared date. With the policy same-day it keeps its time at another door, or else gets the nearest time of its date outside of the cleared door and hours. An appointment that has begun, or for which there is no free slot, is not changed. After an interruption, run the command again: no appointment moves twice.',
  effect: 'write',
  recorded: 'from-start',
  access: { docks: 'manager' },
  isExpensive: true,
  input: ClearInput,
  output: ClearReport,
  errors: ['not_found', 'date_in_past'],
  isPartial: ({ dryRun, refused }) => !dryRun && refused > 0,
  http: { method: 'post', path: '/api/appointments/clear', extension: true, withinMs: CALL_TIMEOUT_MS, inParts: true },
  cli: {
    command: 'appointment clear',
    extraFlags: [facilityFlag],
    flags: {
      ...facilityFieldFlags,
      date: { value: 'YYYY-MM-DD' },
      endDate: { name: 'until', value: 'YYYY-MM-DD' },
      fromTime: { name: 'from', value: 'HH:MM' },
      toTime: { name: 'to', value: 'HH:MM' },
      doorId: { name: 'door', value: 'name|id' },
      carrierName: { name: 'carrier', value: 'name' },
      targetDate: { value: 'YYYY-MM-DD' },
    },
    toInput: toFacilityInput,
    confirmDryRun: (answer) => formatQuestion(answer as ClearReport),
    examples: [
      'studio appointment clear --facility DC1 --date 2027-03-01 --policy next-open-day --dry-run',
      'studio appointment clear --facility DC1 --date 2027-03-01 --from 12:00 --to 18:00 --policy next-week --reason Storm --yes',
      'studio appointment clear --facility DC1 --date 2027-03-01 --door "Door 1" --policy same-day --dry-run',
      'studio appointment clear --facility DC1 --date 2027-03-01 --policy date --target-date 2027-03-02 --yes',
    ],
    seeAlso: ['facility close', 'facility conflicts', 'reschedule', 'appointment cancel'],
  },
  async run(ctx: Context & StorageContext, { dryRun, ...input }) {
    const now = ctx.clock.now()
    const { facility, outcomes } = dryRun
      ? await ctx.db.read(async (tx) => {
          const facility = await requireFacility(ctx, tx, input)
          const request = resolveRequest(facility, input, now)
          const found = await findAppointmentsToClear(tx, facility, request, new Set())
          const outcomes = await planClearing(tx, facility, found, { request, now, ctx: withinTransaction(ctx) })
          settlePlan(ctx, outcomes.map(toFacts))
          return { facility, outcomes }
        })
      : await clearInParts(ctx, input)
    return buildReport(facility, outcomes, dryRun)
  },
})

/**
 * Each part is one transaction that finds the appointments that are left, so that what others do in the meantime is respected. A plan that
 * the caller has seen is carried out in one transaction.
 */
async function clearInParts(ctx: Context & StorageContext, input: Omit<ClearInput, 'dryRun'>) {
  const outcomes: ClearOutcome[] = []
  const done = new Set<string>()
  for (;;) {
    const part = await writeAppointments(ctx, async (tx) => {
      ctx.signal.throwIfAborted()
      const now = ctx.clock.now()
      const facility = await lockFacility(ctx, tx, input)
      const request = resolveRequest(facility, input, now)
      const left = await findAppointmentsToClear(tx, facility, request, done)
      const next = isBoundToPlan(ctx) ? left : left.slice(0, APPOINTMENTS_PER_TRANSACTION)
      const planned = await planClearing(tx, facility, next, { request, now, ctx: withinTransaction(ctx) })
      if (isBoundToPlan(ctx)) settlePlan(ctx, planned.map(toFacts))
      for (const outcome of planned) {
        if (!('after' in outcome)) continue
        const kind = outcome.outcome === 'moved' ? ('rescheduled' as const) : ('cancelled' as const)
        await saveAppointment(tx, outcome, createChange(ctx, kind, request.reason))
      }
      await offerFreeSlots(ctx, tx, { tenantId: facility.tenantId, facility })
      return { facility, planned, left: left.length - next.length }
    }).catch((error) => {
      if (outcomes.length === 0) throw error
      throw afterParts(error, {
        done: `${outcomes.length} appointments are done.`,
        again: 'No appointment moves twice.',
      })
    })
    for (const outcome of part.planned) done.add(outcome.before.id)
    outcomes.push(...part.planned)
    ctx.progress({ label: 'clearing', done: outcomes.length, total: outcomes.length + part.left })
    if (part.left === 0) return { facility: part.facility, outcomes }
  }
}

function toFacts({ before, ...outcome }: ClearOutcome): unknown {
  const after = 'after' in outcome ? outcome.after : null
  return [
    before.id,
    before.startAt,
    before.doorId,
    outcome.outcome,
    after && [after.doorId, after.startAt, after.endAt],
  ]
}

/** Throws `date_in_past` for the target date, and `invalid` for dates that contradict each other. */
function resolveRequest(facility: Facility, input: Omit<ClearInput, 'dryRun'>, now: number): ClearRequest {
  const { date, endDate = date, fromTime, toTime, targetDate, doorId, type, carrierName, policy, reason } = input
  const cleared = { first: parseDate(date), last: parseDate(endDate) }
  const latest = cleared.first + MAX_DATES - 1
  if (cleared.last < cleared.first) throw inputError([{ path: 'endDate', message: `must not be before ${date}` }])
  if (cleared.last > latest) throw inputError([{ path: 'endDate', message: `must not be after ${formatDate(latest)}` }])
  const hours = { from: parseTimeOfDay(fromTime ?? '00:00'), to: parseEnd(toTime) }
  if (hours.to <= hours.from) throw inputError([{ path: 'toTime', message: `must be after ${fromTime}` }])
  const target = targetDate ? requireFutureDay(facility, { path: 'targetDate', date: targetDate }, now) : null
  if (target !== null && cleared.first <= target && target <= cleared.last)
    throw inputError([
      { path: 'targetDate', message: 'must not be a cleared date: for that date, use the policy same-day' },
    ])
  return {
    cleared,
    hours: fromTime === undefined && toTime === undefined ? null : hours,
    doorId: doorId ?? null,
    type: type ?? null,
    carrierName: carrierName ?? null,
    policy,
    date: target,
    reason: resolveReason(facility, policy === 'cancel' ? 'cancelled' : 'rescheduled', reason),
  }
}

/** Midnight is the end of the date. */
function parseEnd(time: string | undefined): number {
  return parseTimeOfDay(time === undefined || time === '00:00' ? '24:00' : time)
}

function buildReport(facility: Facility, outcomes: readonly ClearOutcome[], dryRun: boolean): ClearReport {
  const count = (outcome: ClearOutcome['outcome']) => outcomes.filter((one) => one.outcome === outcome).length
  return {
    dryRun,
    facilityCode: facility.code,
    timeZone: facility.timeZone,
    moved: count('moved'),
    cancelled: count('cancelled'),
    refused: count('refused'),
    skipped: count('skipped'),
    results: outcomes.map((entry) => {
      const { id, referenceNumber, carrierName, type, startAt, doorName } = entry.before
      const moved = entry.outcome === 'moved' ? entry.after : null
      return {
        id,
        referenceNumber,
        carrierName,
        type,
        outcome: entry.outcome,
        startTime: formatInstant(startAt),
        doorName,
        newStartTime: moved && formatInstant(moved.startAt),
        newEndTime: moved && formatInstant(moved.endAt),
        newDoorName: moved?.doorName ?? null,
        message: 'message' in entry ? entry.message : null,
      }
    }),
  }
}

function formatQuestion({ moved, cancelled, refused }: ClearReport): string | null {
  if (moved + cancelled === 0) return null
  const kept = refused === 0 ? '' : `${refused} would stay, because no slot is free. `
  return `${kept}${moved > 0 ? `Move ${pluralize(moved, 'appointment')}` : `Cancel ${pluralize(cancelled, 'appointment')}`}?`
}
