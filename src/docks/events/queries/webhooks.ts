import { deriveOnce, getEngine, precompileQuery, type ReadTx, type WriteTx } from '../../../storage'
import { docksTables } from '../../queries/docks-tables'
import type { ChangeKind } from '../../visits/rules/appointment-steps'
import type { WebhookTable } from '../migrations'
import { kindPattern } from '../rules/event-types'

/** The last change of an appointment, to be sent to every webhook of its tenant. */
export interface NewDelivery {
  appointmentId: string
  kind: ChangeKind
  dueAt: number
  /** The carriers before and after the change, if it changed the carrier. */
  carriers: readonly [before: string, after: string] | null
}

/** Called in the transaction of each change, so that no event is lost and none is sent of a change that was rolled back. */
export async function insertDeliveries(tx: WriteTx, delivery: NewDelivery): Promise<void> {
  // An insert of no rows takes ten times as long as this question in a file. A server would be waited for.
  if (getEngine(tx) !== 'postgres' && !(await hasWebhooks(tx))) return
  const { carriers, kind, ...row } = delivery
  const values = {
    ...row,
    pattern: kindPattern(kind),
    carrierBefore: carriers?.[0] ?? null,
    carrierAfter: carriers?.[1] ?? null,
  }
  // It names the tables that it reads. Nothing is derived from the one that it changes.
  await runInsertDeliveries.later(tx, values, { keepsDerived: true })
}

function hasWebhooks(tx: ReadTx): Promise<boolean> {
  return deriveOnce(tx, { table: 'webhook', key: 'exist' }, async () => (await runFindWebhook(tx, {})).length > 0)
}

const runFindWebhook = precompileQuery((tx) => docksTables(tx).selectFrom('webhook').select('id').limit(1))

interface DeliveryParameters extends Omit<NewDelivery, 'carriers' | 'kind'> {
  pattern: string
  carrierBefore: string | null
  carrierAfter: string | null
}

const runInsertDeliveries = precompileQuery(
  (tx, { appointmentId, pattern, dueAt, carrierBefore, carrierAfter }: DeliveryParameters) =>
    docksTables(tx)
      .insertInto('webhook_delivery')
      .columns(['webhook_id', 'change_id', 'appointment_id', 'attempts', 'due_at'])
      .expression((rows) =>
        rows
          .selectFrom('appointment')
          .innerJoin('webhook', 'webhook.tenant_id', 'appointment.tenant_id')
          .where('appointment.id', '=', appointmentId)
          .where((row) =>
            row.or([
              row('webhook.facility_id', 'is', null),
              row('webhook.facility_id', '=', row.ref('appointment.facility_id')),
            ]),
          )
          .where((row) => row.or([row('webhook.event_kinds', 'is', null), row('webhook.event_kinds', 'like', pattern)]))
          .where((row) =>
            row.or([
              row('webhook.carrier', 'is', null),
              row('webhook.carrier', '=', row.ref('appointment.carrier_name')),
              row('webhook.carrier', '=', carrierBefore),
              row('webhook.carrier', '=', carrierAfter),
            ]),
          )
          .select((row) => [
            'webhook.id',
            row
              .selectFrom('appointment_change')
              .select(({ fn }) => fn.max('appointment_change.id').as('id'))
              .where('appointment_change.appointment_id', '=', appointmentId)
              .as('change_id'),
            'appointment.id as appointment_id',
            row.lit(0).as('attempts'),
            row.cast<number>(row.val(dueAt), 'bigint').as('due_at'),
          ]),
      ),
)

/** The webhooks of a tenant, oldest first, each with the number of events that it has not accepted, and of the dead ones among them. */
export function listWebhooks(tx: ReadTx, tenantId: string) {
  return docksTables(tx)
    .selectFrom('webhook')
    .leftJoin('webhook_delivery', 'webhook_delivery.webhook_id', 'webhook.id')
    .selectAll('webhook')
    .select(({ fn }) => [
      fn.count<number>('webhook_delivery.change_id').as('unaccepted'),
      fn.count<number>('webhook_delivery.dead_at').as('dead'),
    ])
    .where('webhook.tenant_id', '=', tenantId)
    .groupBy('webhook.id')
    .orderBy('webhook.created_at')
    .orderBy('webhook.id')
    .execute()
}

export async function findWebhook(tx: ReadTx, tenantId: string, id: string): Promise<WebhookTable | null> {
  const query = docksTables(tx).selectFrom('webhook').selectAll().where('tenant_id', '=', tenantId).where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

export async function insertWebhook(tx: WriteTx, webhook: WebhookTable): Promise<void> {
  await docksTables(tx).insertInto('webhook').values(webhook).execute()
}

/** Undefined fields do not change. */
export async function updateWebhook(
  tx: WriteTx,
  id: string,
  changes: { [Field in 'url' | 'event_kinds' | 'facility_id' | 'carrier']?: WebhookTable[Field] | undefined },
): Promise<void> {
  await docksTables(tx).updateTable('webhook').set(changes).where('id', '=', id).execute()
}

export async function replaceWebhookSecret(
  tx: WriteTx,
  id: string,
  secrets: Pick<WebhookTable, 'secret' | 'previous_secret' | 'previous_secret_until'>,
): Promise<void> {
  await docksTables(tx).updateTable('webhook').set(secrets).where('id', '=', id).execute()
}

/** Removes the webhook and the events that it has not accepted. */
export async function deleteWebhook(tx: WriteTx, id: string): Promise<void> {
  await docksTables(tx).deleteFrom('webhook').where('id', '=', id).execute()
  await docksTables(tx).deleteFrom('webhook_delivery').where('webhook_id', '=', id).execute()
}

/** The webhook as it is to be delivered to; null if it was removed or stopped. */
export async function findActiveWebhook(tx: ReadTx, id: string): Promise<WebhookTable | null> {
  return (await runFindActiveWebhook(tx, { id }))[0] ?? null
}

const runFindActiveWebhook = precompileQuery((tx, { id }: { id: string }) =>
  docksTables(tx).selectFrom('webhook').selectAll().where('id', '=', id).where('stopped_at', 'is', null),
)

/** Stops it: events are stored for it and not sent. Returns whether it was active. */
export async function stopWebhook(
  tx: WriteTx,
  id: string,
  { at, reason }: { at: number; reason: string },
): Promise<boolean> {
  const stopped = await docksTables(tx)
    .updateTable('webhook')
    .set({ stopped_at: at, stop_reason: reason })
    .where('id', '=', id)
    .where('stopped_at', 'is', null)
    .executeTakeFirst()
  return stopped.numUpdatedRows > 0n
}

/** Returns how many events are sent now. */
export async function resumeWebhook(tx: WriteTx, id: string): Promise<number> {
  await docksTables(tx)
    .updateTable('webhook')
    .set({ stopped_at: null, stop_reason: null })
    .where('id', '=', id)
    .execute()
  const { pending } = await docksTables(tx)
    .selectFrom('webhook_delivery')
    .select(({ fn }) => fn.count<number>('change_id').as('pending'))
    .where('webhook_id', '=', id)
    .where('dead_at', 'is', null)
    .executeTakeFirstOrThrow()
  return pending
}

/** The IDs of the webhooks that may have something to deliver now. */
export async function listWebhooksDue(tx: ReadTx, now: number): Promise<string[]> {
  return (await runListWebhooksDue(tx, { now })).map(({ id }) => id)
}

const runListWebhooksDue = precompileQuery((tx, { now }: { now: number }) =>
  docksTables(tx)
    .selectFrom('webhook')
    .select('id')
    .where('stopped_at', 'is', null)
    .where((row) =>
      row.exists(
        row
          .selectFrom('webhook_delivery')
          .whereRef('webhook_id', '=', 'webhook.id')
          .where('dead_at', 'is', null)
          .where('due_at', '<=', now)
          .select('change_id'),
      ),
    )
    .orderBy('id'),
)

/** An event that a webhook has not accepted. */
export interface Delivery {
  changeId: number
  appointmentId: string
  attempts: number
  /** JSON: the recipients of a mail that got it; null for none. */
  accepted: string | null
}

/** Deliveries that are due, at most one of an appointment: the event of its oldest change, because events are sent in order. */
export function listDueDeliveries(
  tx: ReadTx,
  webhookId: string,
  { now, limit }: { now: number; limit: number },
): Promise<Delivery[]> {
  return docksTables(tx)
    .selectFrom('webhook_delivery as due')
    .select(['change_id as changeId', 'appointment_id as appointmentId', 'attempts', 'accepted'])
    .where('webhook_id', '=', webhookId)
    .where('dead_at', 'is', null)
    .where('due_at', '<=', now)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('webhook_delivery as earlier')
            .whereRef('earlier.webhook_id', '=', 'due.webhook_id')
            .whereRef('earlier.appointment_id', '=', 'due.appointment_id')
            .where('earlier.dead_at', 'is', null)
            .whereRef('earlier.change_id', '<', 'due.change_id')
            .select('earlier.change_id'),
        ),
      ),
    )
    .orderBy('due_at')
    .orderBy('change_id')
    .limit(limit)
    .execute()
}

export async function deleteDeliveries(tx: WriteTx, webhookId: string, changeIds: readonly number[]): Promise<void> {
  if (changeIds.length === 0) return
  await docksTables(tx)
    .deleteFrom('webhook_delivery')
    .where('webhook_id', '=', webhookId)
    .where('change_id', 'in', changeIds)
    .execute()
}

export interface FailedDelivery extends Delivery {
  error: string
  /** When to try again; null to give up. */
  retryAt: number | null
}

/**
 * Saves a failed attempt. The later events of the appointment wait with this one, so that a search for due ones does not read them.
 * Returns false if the event is no longer waiting, because another process has delivered it or the webhook was removed.
 */
export async function saveFailedDelivery(
  tx: WriteTx,
  webhookId: string,
  { changeId, appointmentId, attempts, accepted, error, retryAt }: FailedDelivery,
  now: number,
): Promise<boolean> {
  const ofAppointment = docksTables(tx)
    .updateTable('webhook_delivery')
    .where('webhook_id', '=', webhookId)
    .where('appointment_id', '=', appointmentId)
    .where('dead_at', 'is', null)
  const saved = await ofAppointment
    .set({ attempts: attempts + 1, accepted, error, dead_at: retryAt === null ? now : null })
    .where('change_id', '=', changeId)
    .executeTakeFirst()
  if (saved.numUpdatedRows === 0n) return false
  // If this event is given up, the later ones are due at once.
  await ofAppointment.set({ due_at: retryAt ?? now }).execute()
  return true
}

/** Sends again what was given up: one event, or all. Returns how many. */
export async function reviveDeliveries(
  tx: WriteTx,
  webhookId: string,
  { changeId, now }: { changeId: number | null; now: number },
): Promise<number> {
  let query = docksTables(tx)
    .updateTable('webhook_delivery')
    .set({ dead_at: null, attempts: 0, due_at: now })
    .where('webhook_id', '=', webhookId)
    .where('dead_at', 'is not', null)
  if (changeId !== null) query = query.where('change_id', '=', changeId)
  return Number((await query.executeTakeFirst()).numUpdatedRows)
}

/** The events that were given up, oldest first. */
export function listDeadDeliveries(tx: ReadTx, webhookId: string) {
  return docksTables(tx)
    .selectFrom('webhook_delivery')
    .innerJoin('appointment_change', 'appointment_change.id', 'webhook_delivery.change_id')
    .select([
      'webhook_delivery.change_id as changeId',
      'webhook_delivery.appointment_id as appointmentId',
      'webhook_delivery.attempts',
      'webhook_delivery.dead_at as deadAt',
      'webhook_delivery.error',
      'appointment_change.kind',
      'appointment_change.at',
    ])
    .where('webhook_id', '=', webhookId)
    .where('dead_at', 'is not', null)
    .orderBy('change_id')
    .execute()
}
