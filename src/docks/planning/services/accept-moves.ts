import { type Context, createPlanChangedError, isBoundToPlan } from '../../../kernel'
import { MINUTE_MS } from '../../../kernel/time'
import type { StorageContext, WriteTx } from '../../../storage'
import { describePlacement } from '../../booking/rules/booking-rules'
import { isFreeToMove } from '../../booking/rules/free-to-move'
import { findRefusedMove } from '../../booking/services/check-moves'
import type { Facility } from '../../facilities/rules/facility'
import { type AppointmentRecord, type ChangedAppointment, findAppointmentsById, saveMoves } from '../../queries'
import { getLocalDay } from '../../rules/zoned-time'
import { createChange, lockFacility, writeAppointments } from '../../services/tenant-access'
import { offerFreeSlots } from '../../waitlist/services/waitlist'
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
  if (prepared.groups.length === 0) return report(new Map())
  return writeAppointments(ctx, async (tx) => {
    ctx.signal.throwIfAborted()
    const facility = await lockFacility(ctx, tx, { facilityId: prepared.facility.id })
    const { moves, refused } = await choosePossible(tx, facility, { prepared, now: ctx.clock.now() })
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
 * needs, as in a limit, so all are judged as one change: a group with a move that is not possible is left out, until all of the others are.
 */
async function choosePossible(
  tx: WriteTx,
  facility: Facility,
  { prepared, now }: { prepared: PreparedPlan; now: number },
): Promise<{ moves: ChangedAppointment[]; refused: Map<string, string> }> {
  const { loaded, plan } = prepared
  const planned = prepared.groups.map((group) => group.map((task) => ({ ...loaded.tasks[task]!, place: plan[task]! })))
  const ids = planned.flat().map(({ record }) => record.id)
  const present = new Map((await findAppointmentsById(tx, ids)).map((record) => [record.id, record]))
  const refused = new Map<string, string>()
  const refuse = (group: readonly { record: AppointmentRecord }[], message: string) => {
    for (const { record } of group) refused.set(record.id, message)
  }
  let groups: { record: AppointmentRecord; move: ChangedAppointment }[][] = []
  for (const group of planned) {
    const message = group.map(({ record }) => explainChange(record, present.get(record.id), facility)).find(Boolean)
    if (message) refuse(group, message)
    else
      groups.push(
        group.map(({ record, place: { start, door } }) => {
          const before = present.get(record.id)!
          const { id: doorId, name: doorName } = loaded.doors[door]!
          return {
            record,
            move: {
              before,
              after: { ...before, doorId, doorName, startAt: start, endAt: start + before.endAt - before.startAt },
            },
          }
        }),
      )
  }
  for (;;) {
    const moves = groups.flat().map(({ move }) => move)
    const problem = await findProblem(tx, facility, { moves, now })
    if (problem === null) return { moves, refused }
    const group = groups.find((members) => members.some(({ move }) => move === problem.move))!
    refuse(group, problem.message)
    groups = groups.filter((other) => other !== group)
  }
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
  return isFreeToMove(present, facility) ? null : `The contacts of ${referenceNumber} know its door.`
}

/** A move that is not possible together with the others beside all that is booked now; null if all are. */
async function findProblem(
  tx: WriteTx,
  facility: Facility,
  { moves, now }: { moves: readonly ChangedAppointment[]; now: number },
): Promise<{ move: ChangedAppointment; message: string } | null> {
  const late = moves.find(({ after }) => after.startAt < Math.floor(now / MINUTE_MS) * MINUTE_MS)
  if (late !== undefined) return { move: late, message: `${describe(late.after)} is over.` }
  const refused = await findRefusedMove(tx, facility, moves, now)
  if (refused === null) return null
  const { move, reason } = refused
  const day = getLocalDay(facility.timeZone, move.after.startAt)
  return { move, message: `${describe(move.after)}: ${describePlacement(facility, { day, reason })}.` }
}

function describe({ referenceNumber, doorName }: AppointmentRecord): string {
  return `${referenceNumber} at ${doorName}`
}
