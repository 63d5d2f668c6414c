import { getEngine, precompileQuery, type WriteTx } from '../../../storage'
import { hasWebhooks, wants } from '../../events/queries/webhooks'
import { eventPattern } from '../../events/rules/event-types'
import { CONTACTS } from '../../events/rules/mail-recipients'
import { isMailed } from '../../events/rules/mail-templates'
import { docksTables } from '../../queries/docks-tables'
import type { ChangeKind } from '../../visits/rules/appointment-steps'
import { siteKeys } from '../rules/load-fields'

/**
 * Records that the contacts of an appointment get to know its door, if a webhook sends them a message about the change of these fields. It counts
 * from the change on, not from its delivery: a message that waits cannot be taken back.
 */
export async function announceDoor(
  tx: WriteTx,
  { id, contactEmails, contactPhone }: { id: string; contactEmails: string | null; contactPhone: string | null },
  { kind, at, fields = [] }: { kind: ChangeKind; at: number; fields?: readonly string[] },
): Promise<void> {
  if (contactEmails === null && contactPhone === null) return
  const shown = fields.filter((field) => !siteKeys.includes(field))
  if (!isMailed(kind, shown, { isOutsider: true })) return
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
