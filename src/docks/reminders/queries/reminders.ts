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

/** The changes whose mails say when an appointment begins, so that it needs no reminder soon after. */
const remindingKinds: readonly ChangeKind[] = ['booked', 'rescheduled', 'swapped', 'reopened', 'reminded']

export interface DueReminder {
  id: string
  updatedAt: number
  contactEmails: string | null
  contactPhone: string | null
}

/**
 * The appointments that begin within the hours, by their start, without those whose truck has arrived. Those that were booked, moved or
 * reminded of within these hours are not due.
 */
export async function listReminderDue(
  tx: ReadTx,
  { facilityId, hours, now, limit }: { facilityId: string; hours: number; now: number; limit: number },
): Promise<DueReminder[]> {
  return docksTables(tx)
    .selectFrom('appointment')
    .select(['id', 'updated_at as updatedAt', 'contact_emails as contactEmails', 'contact_phone as contactPhone'])
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
            .where('appointment_change.kind', 'in', remindingKinds)
            .where((row) =>
              row('appointment_change.at', '>=', row('appointment.start_at', '-', row.val(hours * HOUR_MS) as never)),
            ),
        ),
      ),
    )
    .orderBy('start_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}
