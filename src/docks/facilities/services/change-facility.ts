import * as z from 'zod'
import { type Context, checkpoint, hint, inputError, StudioError, settlePlan, suggest } from '../../../kernel'
import type { StorageContext, WriteTx } from '../../../storage'
import { ListedAppointment, SlotHold } from '../../booking/schemas'
import { presentHold, presentListedAppointment } from '../../booking/services/present-appointment'
import {
  type AppointmentRecord,
  findDoors,
  findRemovedDoor,
  listHolds,
  listUnfinishedAppointments,
  removeDoor,
  type SlotHoldRecord,
  updateFacility,
  upsertDoor,
} from '../../queries'
import { deepFreeze } from '../../rules/weak-memo'
import { lockFacility, requireFreeCode, writeAppointments } from '../../services/tenant-access'
import { endHold, offerFreeSlots } from '../../waitlist/services/waitlist'
import { type Conflict, conflictReasons, DoorRules, findConflicts, toBookedSpan } from '../rules/conflicts'
import type { Door, FacilityChoice } from '../rules/facility'
import { chooseFacility, findContradictions } from '../rules/facility'
import { Facility, type FacilityWithDoors } from '../schemas'
import { computeRevision, FacilityRevision, requireRevision } from './facility-revision'

export const DryRun = z
  .boolean()
  .default(false)
  .describe('Show what would change and which appointments would conflict')

export const ConflictingAppointment = z.object({
  reason: z.enum(conflictReasons).describe('Why it could not be booked there now'),
  appointment: ListedAppointment,
})

/** The result of a change of a facility or its doors. */
export const FacilityChange = z.object({
  facility: Facility,
  revision: FacilityRevision,
  dryRun: z.boolean(),
  changed: z.boolean().describe('False if nothing differs'),
  conflicts: z
    .array(ConflictingAppointment)
    .describe('Scheduled appointments that no longer fit the facility because of the change. They are not moved'),
  releasedHolds: z.array(SlotHold).describe('Holds that the facility can no longer accept. They end with the change'),
})
export type FacilityChange = z.output<typeof FacilityChange>

interface ChangeRequest {
  choice: FacilityChoice
  dryRun: boolean
  /** Only a facility with this revision is changed. */
  ifRevision?: string | undefined
}

/** Changes a facility and its doors in one transaction. No appointment is moved; those that the change leaves in conflict are reported. */
export function changeFacility(
  ctx: Context & StorageContext,
  { choice, dryRun, ifRevision }: ChangeRequest,
  decide: (before: FacilityWithDoors) => FacilityWithDoors,
): Promise<FacilityChange> {
  return writeAppointments(ctx, async (tx) => {
    const now = ctx.clock.now()
    const { tenantId, ...facility } = await lockFacility(ctx, tx, choice)
    const before = { ...facility, doors: await findDoors(tx, facility.id) }
    requireRevision(before, ifRevision)
    const decided = decide(before)
    const after = deepFreeze({ ...decided, doors: await restoreRemovedDoors(tx, before, decided) })
    requireValidFacility(after)
    await checkpoint(ctx)
    if (after.code !== before.code) await requireFreeCode(tx, tenantId, after.code)
    const conflicts = findNewConflicts(await listUnfinishedAppointments(tx, facility.id, now), before, after)
    await checkpoint(ctx)
    const releasedHolds = findUnfitHolds(await listHolds(tx, facility.id, now), after)
    settlePlan(ctx, listFacts({ before, after, conflicts, releasedHolds }))
    if (!dryRun) {
      await saveFacility(tx, { before, after, now })
      await checkpoint(ctx)
      const place = { tenantId, facility: after }
      for (const { id } of releasedHolds) await endHold(ctx, tx, place, { holdId: id, cause: 'withdrawn' })
      await offerFreeSlots(ctx, tx, place)
    }
    return {
      facility: after,
      revision: computeRevision(after),
      dryRun,
      changed: JSON.stringify(before) !== JSON.stringify(after),
      conflicts: presentConflicts(conflicts, after.timeZone),
      releasedHolds: releasedHolds.map((hold) => presentHold(hold, after.timeZone)),
    }
  })
}

/** What the change does. A new door has another ID in each call. */
function listFacts({
  before,
  after,
  conflicts,
  releasedHolds,
}: {
  before: FacilityWithDoors
  after: FacilityWithDoors
  conflicts: readonly AppointmentConflict[]
  releasedHolds: readonly SlotHoldRecord[]
}): unknown {
  const known = new Set(before.doors.map(({ id }) => id))
  const doors = after.doors.map(({ id, ...door }) => ({ ...door, id: known.has(id) ? id : null }))
  return {
    before,
    after: { ...after, doors },
    conflicts: conflicts.map(({ reason, appointment }) => [appointment.id, reason]),
    releasedHolds: releasedHolds.map(({ id }) => id),
  }
}

/** A door that is added with the name of a removed door gets its ID, and with it its appointments. */
async function restoreRemovedDoors(tx: WriteTx, before: FacilityWithDoors, after: FacilityWithDoors): Promise<Door[]> {
  const doors: Door[] = []
  for (const door of after.doors) {
    const was = before.doors.find(({ id }) => id === door.id)
    const removed = was?.name === door.name ? null : await findRemovedDoor(tx, after.id, door.name)
    if (removed !== null && was) {
      throw new StudioError('conflict', `A removed door has the name ${door.name}.`, {
        hint: hint`Choose another name, or add that door again: ${suggest('doors.add', { ...chooseFacility(after), name: door.name })}`,
      })
    }
    doors.push(removed === null ? door : { ...door, id: removed })
  }
  return doors
}

function requireValidFacility(facility: FacilityWithDoors): void {
  const found = findContradictions(facility)
  if (found.length > 0) throw inputError(found.map(({ path, message }) => ({ path: path.join('.'), message })))
}

type AppointmentConflict = Conflict<AppointmentRecord & { from: number; to: number }>

/** The scheduled appointments that do not fit the facility. */
export function findCurrentConflicts(
  unfinished: readonly AppointmentRecord[],
  facility: FacilityWithDoors,
): AppointmentConflict[] {
  const appointments = unfinished.map(toBookedSpan)
  return findConflicts(facility, facility.doors, appointments).filter(
    ({ appointment }) => appointment.status === 'scheduled',
  )
}

/** The holds at a door or time that the facility does not offer. No call could confirm them, and they would only take capacity. */
function findUnfitHolds(holds: readonly SlotHoldRecord[], facility: FacilityWithDoors): SlotHoldRecord[] {
  const rules = new DoorRules(facility, facility.doors)
  return holds.filter((hold) => rules.findReason({ ...hold, from: hold.startAt, to: hold.endAt }) !== null)
}

function findNewConflicts(
  unfinished: readonly AppointmentRecord[],
  before: FacilityWithDoors,
  after: FacilityWithDoors,
) {
  const getKey = ({ appointment, reason }: AppointmentConflict) => `${appointment.id} ${reason}`
  const known = new Set(findCurrentConflicts(unfinished, before).map(getKey))
  return findCurrentConflicts(unfinished, after).filter((conflict) => !known.has(getKey(conflict)))
}

export function presentConflicts(
  conflicts: readonly AppointmentConflict[],
  timeZone: string,
): z.output<typeof ConflictingAppointment>[] {
  return conflicts.map(({ reason, appointment }) => ({
    reason,
    appointment: presentListedAppointment(appointment, timeZone),
  }))
}

async function saveFacility(
  tx: WriteTx,
  { before, after, now }: { before: FacilityWithDoors; after: FacilityWithDoors; now: number },
): Promise<void> {
  const { doors, ...facility } = after
  await updateFacility(tx, facility)
  const staying = new Set(doors.map(({ id }) => id))
  for (const door of before.doors) if (!staying.has(door.id)) await removeDoor(tx, door, now)
  for (const door of doors) {
    const was = before.doors.find(({ id }) => id === door.id)
    if (JSON.stringify(was) !== JSON.stringify(door)) await upsertDoor(tx, facility.id, door)
  }
}

/** Throws `not_found`. */
export function requireDoor(facility: FacilityWithDoors, name: string): FacilityWithDoors['doors'][number] {
  const door = facility.doors.find((candidate) => candidate.name === name)
  if (door) return door
  throw new StudioError('not_found', `There is no door ${name} at ${facility.code}.`, {
    hint: hint`List the doors: ${suggest('doors.list', chooseFacility(facility))}`,
  })
}

/** The confirmation question before a change that leaves appointments in conflict or ends holds; null if it does neither. */
export function formatConflictQuestion({ conflicts, releasedHolds }: FacilityChange): string | null {
  const sentences = [
    conflicts.length === 1 && 'One scheduled appointment would conflict and would not be moved.',
    conflicts.length > 1 && `${conflicts.length} scheduled appointments would conflict and would not be moved.`,
    releasedHolds.length === 1 && 'One hold would end.',
    releasedHolds.length > 1 && `${releasedHolds.length} holds would end.`,
  ].filter((sentence) => sentence !== false)
  return sentences.length === 0 ? null : `${sentences.join(' ')} Continue?`
}
