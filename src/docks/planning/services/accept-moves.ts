import { type Context, checkpoint, createPlanChangedError, isBoundToPlan, withinTransaction } from '../../../kernel'
import { MINUTE_MS } from '../../../kernel/time'
import type { StorageContext, WriteTx } from '../../../storage'
import { describePlacement } from '../../booking/rules/booking-rules'
import { isFreeToMove } from '../../booking/rules/free-to-move'
import { getDecisiveSpan } from '../../booking/rules/limits'
import type { PlacementReason } from '../../booking/rules/placement'
import type { BusySpan } from '../../booking/rules/spans'
import { findRefusedMove } from '../../booking/services/check-moves'
import { DoorRules, toBookedSpan } from '../../facilities/rules/conflicts'
import type { Door, Facility } from '../../facilities/rules/facility'
import {
  type AppointmentRecord,
  type ChangedAppointment,
  findAppointmentsById,
  findDoors,
  listBusySpans,
  saveMoves,
} from '../../queries'
import { getLocalDay } from '../../rules/zoned-time'
import { createChange, lockFacility, writeAppointments } from '../../services/tenant-access'
import { offerFreeSlots } from '../../waitlist/services/waitlist'
import type { PlanPlace } from '../rules/day-problem'
import type { PreparedPlan } from './prepare-plan'

type Ctx = Context & StorageContext

/** Why moves are refused, by the ID of their appointment. */
export type Refusals = ReadonlyMap<string, string>

/**
 * Makes the moves in one transaction: all groups that are still possible together. Returns what `report` says of those that were refused, as
 * the result of the transaction. Throws `plan_changed` if the caller has seen the plan and not all of it is possible.
 */
export async function acceptMoves<Report>(
  ctx: Ctx,
  prepared: PreparedPlan,
  { reason, report }: { reason: string | null; report: (refused: Refusals) => Report },
): Promise<Report> {
  return writeAppointments(ctx, async (tx) => {
    ctx.signal.throwIfAborted()
    const facility = await lockFacility(ctx, tx, { facilityId: prepared.facility.id })
    const { moves, refused } = await choosePossible(ctx, tx, facility, prepared)
    if (refused.size > 0 && isBoundToPlan(ctx)) throw createPlanChangedError()
    if (moves.length > 0) {
      await saveMoves(tx, moves, createChange(ctx, 'rescheduled', reason))
      await offerFreeSlots(ctx, tx, { tenantId: facility.tenantId, facility })
    }
    return report(refused)
  })
}

/**
 * The moves of all groups, without those that others have made impossible since the plan was made. What one group gives up may be what another
 * needs, as in a limit, so all are judged as one change: a group with a move that is not possible is left out, until all of the others are. Then
 * those that are possible beside the rest are taken again, for as long as there is one.
 */
async function choosePossible(
  ctx: Ctx,
  tx: WriteTx,
  facility: Facility,
  prepared: PreparedPlan,
): Promise<{ moves: ChangedAppointment[]; refused: Map<string, string> }> {
  const { loaded, plan } = prepared
  const now = ctx.clock.now()
  const ids = prepared.groups.flat().map((task) => loaded.tasks[task]!.record.id)
  const present = new Map((await findAppointmentsById(tx, ids)).map((record) => [record.id, record]))
  const doors = await findDoors(tx, facility.id)
  const rules = new DoorRules(facility, doors)
  const refused = new Map<string, string>()
  let groups: ChangedAppointment[][] = []
  // First what is not possible whatever else moves, because others may be possible without it.
  for (const group of prepared.groups) {
    const moves = group.map((task) => {
      const planned = loaded.tasks[task]!.record
      const before = present.get(planned.id) ?? planned
      return { planned, before, after: takePlannedPlace(before, plan[task]!, loaded.doors) }
    })
    const explain = ({ planned, after }: (typeof moves)[number]) => {
      const reason = rules.findReason(toBookedSpan(after))
      const change = explainChange(planned, present.get(planned.id), facility) ?? explainTime(after, now)
      return change ?? (reason && explainPlace(facility, after, reason))
    }
    const message = moves.map(explain).find((reason) => reason !== null)
    if (message === undefined) groups.push(moves)
    else for (const { planned } of moves) refused.set(planned.id, message)
  }
  const all = groups.flat()
  const others = await listBusyAround(tx, facility, { moves: all, now })
  const findProblem = async (chosen: ChangedAppointment[][]) => {
    await checkpoint(withinTransaction(ctx))
    const moves = chosen.flat()
    const staying = all.filter((move) => !moves.includes(move)).map(({ before }) => toBookedSpan(before))
    return findRefusedMove({ facility, doors, listBusy: () => [...others, ...staying] }, moves)
  }
  let leftOut: ChangedAppointment[][] = []
  for (let problem = await findProblem(groups); problem !== null; problem = await findProblem(groups)) {
    const { move, reason } = problem
    const group = groups.find((moves) => moves.includes(move))!
    for (const { before } of group) refused.set(before.id, explainPlace(facility, move.after, reason))
    groups = groups.filter((moves) => moves !== group)
    leftOut.push(group)
  }
  for (let isTaken = true; isTaken; ) {
    isTaken = false
    for (const group of leftOut) {
      if ((await findProblem([...groups, group])) !== null) continue
      for (const { before } of group) refused.delete(before.id)
      groups.push(group)
      isTaken = true // what it gives up may be what another one needs
    }
    leftOut = leftOut.filter((group) => !groups.includes(group))
  }
  return { moves: groups.flat(), refused }
}

function takePlannedPlace(
  before: AppointmentRecord,
  { start, door }: PlanPlace,
  doors: readonly Door[],
): AppointmentRecord {
  const { id: doorId, name: doorName } = doors[door]!
  return { ...before, doorId, doorName, startAt: start, endAt: start + before.endAt - before.startAt }
}

/** All that is booked or held where it decides on one of the moves, without those that move. */
async function listBusyAround(
  tx: WriteTx,
  facility: Facility,
  { moves, now }: { moves: readonly ChangedAppointment[]; now: number },
): Promise<readonly BusySpan[]> {
  if (moves.length === 0) return []
  const spans = moves.map(({ after }) => getDecisiveSpan(facility, toBookedSpan(after)))
  const from = spans.reduce((least, span) => Math.min(least, span.from), Number.POSITIVE_INFINITY)
  const to = spans.reduce((most, span) => Math.max(most, span.to), 0)
  return listBusySpans(tx, facility, { from, to }, { now, except: moves.map(({ before }) => before.id) })
}

/** Why the plan is not about the appointment as it is now; null if it is. */
function explainChange(
  planned: AppointmentRecord,
  present: AppointmentRecord | undefined,
  facility: Facility,
): string | null {
  const { referenceNumber, sequence, step } = planned
  if (present?.sequence !== sequence || present.status !== 'scheduled' || present.step !== step)
    return `${referenceNumber} has changed since the plan was made.`
  return isFreeToMove(present, facility) ? null : `${referenceNumber} must stay at its door.`
}

function explainTime({ referenceNumber, startAt }: AppointmentRecord, now: number): string | null {
  return startAt < Math.floor(now / MINUTE_MS) * MINUTE_MS ? `The new start of ${referenceNumber} has passed.` : null
}

function explainPlace(
  facility: Facility,
  { referenceNumber, doorName, startAt }: AppointmentRecord,
  reason: PlacementReason,
): string {
  const day = getLocalDay(facility.timeZone, startAt)
  return `${referenceNumber} at ${doorName}: ${describePlacement(facility, { day, reason })}.`
}
