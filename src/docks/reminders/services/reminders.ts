import { type Context, checkpoint, withinTransaction } from '../../../kernel'
import type { StorageContext, WriteTx } from '../../../storage'
import type { Facility } from '../../facilities/rules/facility'
import { announceDoor, insertChange, listReminderDue, listRemindingFacilities } from '../../queries'
import { runAtEachFacility } from '../../services/each-facility'
import { createChange } from '../../services/tenant-access'

type Ctx = Context & StorageContext

/** How many reminders a transaction records. Bookings at the facility wait for it. */
const BATCH = 100

/**
 * Records the reminders that are due, of all tenants or one, in the history of their appointments. From there webhooks and mails send them,
 * as they send changes. Each reminder is recorded once, even if several processes look for it. Returns the number of reminders.
 */
export async function remindEverywhere(
  ctx: Ctx,
  choice: { tenantId?: string },
  { isUpkeep = false } = {},
): Promise<number> {
  const upkeep = isUpkeep ? 'appointments.remind' : null
  let reminders = 0
  for (;;) {
    const places = await findFacilitiesWithDue(ctx, choice)
    if (places.length === 0) return reminders
    reminders += await runAtEachFacility(ctx, places, { upkeep, work: (tx, { facility }) => remind(ctx, tx, facility) })
  }
}

/** Read first, so that a minute without a reminder writes nothing. */
function findFacilitiesWithDue(ctx: Ctx, choice: { tenantId?: string }) {
  return ctx.db.read(async (tx) => {
    const now = ctx.clock.now()
    const due: { tenantId: string; facilityId: string }[] = []
    for (const { hours, ...place } of await listRemindingFacilities(tx, choice))
      if ((await listReminderDue(tx, { facilityId: place.facilityId, hours, now, limit: 1 })).length > 0)
        due.push(place)
    return due
  })
}

async function remind(ctx: Ctx, tx: WriteTx, { id, reminderHours }: Facility): Promise<number> {
  if (reminderHours === null) return 0
  const due = await listReminderDue(tx, { facilityId: id, hours: reminderHours, now: ctx.clock.now(), limit: BATCH })
  const call = withinTransaction(ctx)
  for (const appointment of due) {
    await checkpoint(call)
    const change = createChange(ctx, 'reminded')
    await insertChange(tx, appointment.id, { ...change, details: { lastChangedAt: appointment.updatedAt } })
    await announceDoor(tx, appointment, change)
  }
  return due.length
}
