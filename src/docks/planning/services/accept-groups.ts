import { afterParts, type Context, StudioError } from '../../../kernel'
import { MINUTE_MS } from '../../../kernel/time'
import type { StorageContext, WriteTx } from '../../../storage'
import { describePlacement } from '../../booking/rules/booking-rules'
import { findRefusedMove } from '../../booking/services/check-moves'
import type { Facility } from '../../facilities/rules/facility'
import { type AppointmentRecord, type ChangedAppointment, findAppointmentsById, saveMoves } from '../../queries'
import { getLocalDay } from '../../rules/zoned-time'
import { createChange, lockFacility, writeAppointments } from '../../services/tenant-access'
import { offerFreeSlots } from '../../waitlist/services/waitlist'
import type { PreparedPlan } from './prepare-plan'

/**
 * Makes the moves of each group in a transaction of its own. Returns why moves were refused, by the ID of their appointment: then none of
 * their group was made.
 */
export async function acceptGroups(
  ctx: Context & StorageContext,
  prepared: PreparedPlan,
  reason: string | null,
): Promise<Map<string, string>> {
  const total = prepared.groups.flat().length
  let done = 0
  /** Why each group of moves was refused, tried one after the other. */
  const tryAll = async (groups: readonly (readonly number[])[]) => {
    const refused: [group: readonly number[], message: string][] = []
    for (const group of groups) {
      const message = await moveGroup(ctx, prepared, group, reason).catch((error) => {
        if (done === 0) throw error
        throw afterParts(error, { done: `${done} appointments are moved.`, again: 'Those are not moved twice.' })
      })
      if (message === null) done += group.length
      else refused.push([group, message])
      ctx.progress({ label: 'moving', done, total })
    }
    return refused
  }
  // A limit may bind one group until another has moved, or several until they move together.
  let refused = await tryAll(prepared.groups)
  for (let before = prepared.groups.length; refused.length > 0 && refused.length < before; ) {
    before = refused.length
    refused = await tryAll(refused.map(([group]) => group))
  }
  if (refused.length > 1 && (await tryAll([refused.flatMap(([group]) => group)])).length === 0) refused = []
  return new Map(
    refused.flatMap(([group, message]) =>
      group.map((task) => [prepared.loaded.tasks[task]!.record.id, message] as const),
    ),
  )
}

/** Makes the moves in a transaction; or says why they are refused. */
async function moveGroup(
  ctx: Context & StorageContext,
  prepared: PreparedPlan,
  group: readonly number[],
  reason: string | null,
): Promise<string | null> {
  return writeAppointments(ctx, async (tx) => {
    ctx.signal.throwIfAborted()
    const facility = await lockFacility(ctx, tx, { facilityId: prepared.facility.id })
    const moves = await listMoves(tx, prepared, group)
    if (typeof moves === 'string') return moves
    const problem = await findProblem(tx, facility, moves, ctx.clock.now())
    if (problem !== null) return problem
    await saveMoves(tx, moves, createChange(ctx, 'rescheduled', reason))
    await offerFreeSlots(ctx, tx, { tenantId: facility.tenantId, facility })
    return null
  }).catch((error) => {
    if (error instanceof StudioError && error.code === 'slot_unavailable') return error.message
    throw error
  })
}

/** The appointments as they are now, and as they will be; or why one is not as it was. */
async function listMoves(
  tx: WriteTx,
  { loaded, plan }: PreparedPlan,
  group: readonly number[],
): Promise<ChangedAppointment[] | string> {
  const ids = group.map((task) => loaded.tasks[task]!.record.id)
  const present = new Map((await findAppointmentsById(tx, ids)).map((record) => [record.id, record]))
  const moves: ChangedAppointment[] = []
  for (const task of group) {
    const planned = loaded.tasks[task]!.record
    const before = present.get(planned.id)
    if (before?.sequence !== planned.sequence || before.status !== 'scheduled' || before.step !== planned.step)
      return `${planned.referenceNumber} has changed since the plan was made.`
    const { start, door } = plan[task]!
    const { id: doorId, name: doorName } = loaded.doors[door]!
    moves.push({
      before,
      after: { ...before, doorId, doorName, startAt: start, endAt: start + before.endAt - before.startAt },
    })
  }
  return moves
}

/** Why the moves are not possible together beside all others now; null if they are. Each is checked as a booking is. */
async function findProblem(
  tx: WriteTx,
  facility: Facility,
  moves: readonly ChangedAppointment[],
  now: number,
): Promise<string | null> {
  const late = moves.find(({ after }) => after.startAt < Math.floor(now / MINUTE_MS) * MINUTE_MS)
  if (late !== undefined) return `${describe(late.after)} is over.`
  const refused = await findRefusedMove(tx, facility, moves, now)
  if (refused === null) return null
  const { move, reason } = refused
  const day = getLocalDay(facility.timeZone, move.after.startAt)
  return `${describe(move.after)}: ${describePlacement(facility, { day, reason })}.`
}

function describe({ referenceNumber, doorName }: AppointmentRecord): string {
  return `${referenceNumber} at ${doorName}`
}
