import type { Context } from '../../../kernel'
import type { StorageContext, WriteTx } from '../../../storage'
import type { Facility } from '../../facilities/rules/facility'
import { findFacilityForUpdate, insertChange, listReminderDue, listRemindingFacilities } from '../../queries'
import { createChange, writeAppointments } from '../../services/tenant-access'

type Ctx = Context & StorageContext

/**
 * Records the reminders that are due, for all tenants or one, each facility in a transaction of its own. A reminder is a change of the
 * appointment's history, so it is sent to webhooks and by mail as the other changes are: once, although several processes look for it.
 * Returns the number of reminders.
 */
export async function remindEverywhere(
  ctx: Ctx,
  choice: { tenantId?: string },
  { isUpkeep = false } = {},
): Promise<number> {
  let reminders = 0
  for (const { tenantId, facilityId } of await findFacilitiesWithDue(ctx, choice)) {
    ctx.signal.throwIfAborted()
    reminders += await writeAppointments(ctx, async (tx) => {
      const facility = await findFacilityForUpdate(tx, tenantId, { id: facilityId })
      const made = facility && facility.archivedAt === null ? await remind(ctx, tx, facility) : 0
      if (isUpkeep && made > 0)
        await ctx.recorder?.note(tx, { id: 'appointments.remind', access: { docks: 'clerk' } }, { facilityId })
      return made
    })
  }
  return reminders
}

/** Read first, so that a minute without a reminder writes nothing. */
function findFacilitiesWithDue(ctx: Ctx, choice: { tenantId?: string }) {
  return ctx.db.read(async (tx) => {
    const now = ctx.clock.now()
    const due: { tenantId: string; facilityId: string }[] = []
    for (const { hours, ...place } of await listRemindingFacilities(tx, choice))
      if ((await listReminderDue(tx, { facilityId: place.facilityId, hours, now })).length > 0) due.push(place)
    return due
  })
}

async function remind(ctx: Ctx, tx: WriteTx, { id, reminderHours }: Facility): Promise<number> {
  if (reminderHours === null) return 0
  const due = await listReminderDue(tx, { facilityId: id, hours: reminderHours, now: ctx.clock.now() })
  for (const appointmentId of due) await insertChange(tx, appointmentId, createChange(ctx, 'reminded'))
  return due.length
}
