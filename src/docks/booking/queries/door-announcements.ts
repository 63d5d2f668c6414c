import { getEngine, precompileQuery, type WriteTx } from '../../../storage'
import { hasWebhooks, wants } from '../../events/queries/webhooks'
import { eventPattern } from '../../events/rules/event-types'
import { CONTACTS } from '../../events/rules/mail-recipients'
import { docksTables } from '../../queries/docks-tables'
import type { ChangeKind } from '../../visits/rules/appointment-steps'

/** The changes whose mails and text messages say when and where an appointment is. */
export const announcingKinds: readonly ChangeKind[] = ['booked', 'rescheduled', 'swapped', 'reopened', 'reminded']

/**
 * Records that the contacts of an appointment get to know its door, if a webhook sends them a message about the change. It counts from the
 * change on, not from its delivery: a message that waits cannot be taken back.
 */
export async function announceDoor(
  tx: WriteTx,
  { id, contactEmails, contactPhone }: { id: string; contactEmails: string | null; contactPhone: string | null },
  { kind, at }: { kind: ChangeKind; at: number },
): Promise<void> {
  if (!announcingKinds.includes(kind) || (contactEmails === null && contactPhone === null)) return
  if (getEngine(tx) !== 'postgres' && !(await hasWebhooks(tx))) return
  // It changes nothing that is derived from appointments.
  await runAnnounce.later(tx, { id, pattern: eventPattern(`appointment.${kind}`), at }, { keepsDerived: true })
}

const runAnnounce = precompileQuery((tx, { id, pattern, at }: { id: string; pattern: string; at: number }) =>
  docksTables(tx)
    .updateTable('appointment')
    .set({ door_announced_at: at })
    .where('id', '=', id)
    .where((row) =>
      row.exists(
        row
          .selectFrom('webhook')
          .select('webhook.id')
          .whereRef('webhook.tenant_id', '=', 'appointment.tenant_id')
          .where((webhook) =>
            webhook.or([
              webhook.and([
                webhook('webhook.url', '=', CONTACTS),
                webhook('appointment.contact_emails', 'is not', null),
              ]),
              webhook.and([
                webhook('webhook.body_template', 'is not', null),
                webhook('appointment.contact_phone', 'is not', null),
              ]),
            ]),
          )
          .where((webhook) =>
            wants(webhook, {
              facilityId: webhook.ref('appointment.facility_id'),
              pattern,
              carriers: [webhook.ref('appointment.carrier_name')],
            }),
          ),
      ),
    ),
)
