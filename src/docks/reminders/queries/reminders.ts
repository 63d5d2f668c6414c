import { HOUR_MS } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import { docksTables } from '../../queries/docks-tables'
import type { ChangeKind } from '../../visits/rules/appointment-steps'

/** The facilities that remind of their appointments. */
export function listRemindingFacilities(
  tx: ReadTx,
  { tenantId }: { tenantId?: string },
): Promise<{ tenantId: string; facilityId: string; hours: number }[]> {
  const query = docksTables(tx)
    .selectFrom('facility')
    .select(['tenant_id as tenantId', 'id as facilityId', 'reminder_hours as hours'])
    .where('reminder_hours', 'is not', null)
    .where('archived_at', 'is', null)
    .orderBy('id')
    .$narrowType<{ hours: number }>()
  return (tenantId === undefined ? query : query.where('tenant_id', '=', tenantId)).execute()
}

/** After one of these the people of an appointment know when it is. */
const tellingKinds: readonly ChangeKind[] = ['booked', 'rescheduled', 'swapped', 'reopened', 'reminded']

/**
 * The IDs of the appointments that begin within the hours, by their start, without those whose truck is there, and those whose people were
 * told of the time within these hours.
 */
export async function listReminderDue(
  tx: ReadTx,
  { facilityId, hours, now }: { facilityId: string; hours: number; now: number },
): Promise<string[]> {
  const rows = await docksTables(tx)
    .selectFrom('appointment')
    .select('id')
    .where('facility_id', '=', facilityId)
    .where('start_at', '>', now)
    .where('start_at', '<=', now + hours * HOUR_MS)
    .where('status', '=', 'scheduled')
    .where('step', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('appointment_change')
            .select('appointment_change.id')
            .whereRef('appointment_change.appointment_id', '=', 'appointment.id')
            .where('appointment_change.kind', 'in', tellingKinds)
            .where((row) =>
              row('appointment_change.at', '>=', row('appointment.start_at', '-', row.val(hours * HOUR_MS) as never)),
            ),
        ),
      ),
    )
    .orderBy('start_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
