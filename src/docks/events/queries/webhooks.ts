import type { Expression, ExpressionBuilder } from 'kysely'
import { deriveOnce, forUpdate, getEngine, precompileQuery, type ReadTx, type WriteTx } from '../../../storage'
import type { DocksTables } from '../../migrations'
import { docksTables } from '../../queries/docks-tables'
import type { ChangeKind } from '../../visits/rules/appointment-steps'
import type { WebhookTable } from '../migrations'
import { type EventSource, type EventType, eventPattern } from '../rules/event-types'

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
    pattern: eventPattern(`appointment.${kind}`),
    carrierBefore: carriers?.[0] ?? null,
    carrierAfter: carriers?.[1] ?? null,
  }
  // It names the tables that it reads. Nothing is derived from the one that it changes.
  await runInsertDeliveries.later(tx, values, { keepsDerived: true })
}

export function hasWebhooks(tx: ReadTx): Promise<boolean> {
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
      .columns(['webhook_id', 'source', 'event_id', 'subject_id', 'attempts', 'due_at'])
      .expression((rows) =>
        rows
          .selectFrom('appointment')
          .innerJoin('webhook', 'webhook.tenant_id', 'appointment.tenant_id')
          .where('appointment.id', '=', appointmentId)
          .where((row) =>
            wants(row, {
              facilityId: row.ref('appointment.facility_id'),
              pattern,
              carriers: [row.ref('appointment.carrier_name'), carrierBefore, carrierAfter],
            }),
          )
          // Its removal would not see the new row, so it waits for this transaction.
          .$if(getEngine(tx) === 'postgres', (chosen) => chosen.forKeyShare('webhook'))
          .select((row) => [
            'webhook.id',
            row.cast<EventSource>(row.val('appointment'), 'text').as('source'),
            row
              .selectFrom('appointment_change')
              .select(({ fn }) => fn.max('appointment_change.id').as('id'))
              .where('appointment_change.appointment_id', '=', appointmentId)
              .as('event_id'),
            'appointment.id as subject_id',
            row.lit(0).as('attempts'),
            row.cast<number>(row.val(dueAt), 'bigint').as('due_at'),
          ]),
      ),
)

/** Whether a webhook gets an event: each of its filters is null, or lets the event pass. */
export function wants(
  row: ExpressionBuilder<DocksTables, 'webhook'>,
  event: { facilityId: Operand; pattern: string; carriers: readonly Operand[] },
) {
  const passes = (column: 'facility_id' | 'carrier', values: readonly Operand[]) =>
    row.or([row(`webhook.${column}`, 'is', null), ...values.map((value) => row(`webhook.${column}`, '=', value))])
  return row.and([
    passes('facility_id', [event.facilityId]),
    row.or([row('webhook.event_kinds', 'is', null), row('webhook.event_kinds', 'like', event.pattern)]),
    passes('carrier', event.carriers),
  ])
}

/** A value, or a column of another table. */
type Operand = string | null | Expression<string | null>

/** An event of the waitlist, to be sent to the webhooks of its tenant that want it. */
export interface NewWaitlistEvent {
  tenantId: string
  facilityId: string
  carrierName: string
  entryId: string
  type: EventType
  at: number
  /** JSON */
  event: string
}

/** Stores nothing if no webhook wants the event. */
export async function insertWaitlistEvent(
  tx: WriteTx,
  { tenantId, facilityId, carrierName, entryId, type, at, event }: NewWaitlistEvent,
): Promise<void> {
  if (getEngine(tx) !== 'postgres' && !(await hasWebhooks(tx))) return
  const webhooks = await docksTables(tx)
    .selectFrom('webhook')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where((row) => wants(row, { facilityId, pattern: eventPattern(type), carriers: [carrierName] }))
    .$if(getEngine(tx) === 'postgres', (chosen) => chosen.forKeyShare())
    .execute()
  if (webhooks.length === 0) return
  const { id } = await docksTables(tx)
    .insertInto('waitlist_event')
    .values({ entry_id: entryId, event })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = webhooks.map((webhook) => ({
    webhook_id: webhook.id,
    source: 'waitlist' as const,
    event_id: id,
    subject_id: entryId,
    attempts: 0,
    due_at: at,
  }))
  await docksTables(tx).insertInto('webhook_delivery').values(rows).execute()
}

/** The events of the waitlist with these IDs. */
export async function findWaitlistEvents(tx: ReadTx, ids: readonly number[]): Promise<{ id: number; event: string }[]> {
  if (ids.length === 0) return []
  return docksTables(tx).selectFrom('waitlist_event').select(['id', 'event']).where('id', 'in', ids).execute()
}

/** Until the transaction ends, no other one can decide whether a webhook still waits for one of them. */
async function lockWaitlistEvents(tx: WriteTx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await forUpdate(
    tx,
    docksTables(tx).selectFrom('waitlist_event').select('id').where('id', 'in', ids).orderBy('id'),
  ).execute()
}

/** Removes those that no webhook waits for any more. They are locked. */
async function removeSentWaitlistEvents(tx: WriteTx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await docksTables(tx)
    .deleteFrom('waitlist_event')
    .where('id', 'in', ids)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('webhook_delivery')
            .whereRef('subject_id', '=', 'waitlist_event.entry_id')
            .whereRef('event_id', '=', 'waitlist_event.id')
            .select('event_id'),
        ),
      ),
    )
    .execute()
}

/** The webhooks of a tenant, oldest first, each with the number of events that it has not accepted, and of the dead ones among them. */
export function listWebhooks(tx: ReadTx, tenantId: string) {
  return docksTables(tx)
    .selectFrom('webhook')
    .leftJoin('webhook_delivery', 'webhook_delivery.webhook_id', 'webhook.id')
    .selectAll('webhook')
    .select(({ fn }) => [
      fn.count<number>('webhook_delivery.event_id').as('unaccepted'),
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

type ChangeableField = 'url' | 'event_kinds' | 'facility_id' | 'carrier' | 'body_template' | 'authorization'

/** Undefined fields do not change. */
export async function updateWebhook(
  tx: WriteTx,
  id: string,
  changes: { [Field in ChangeableField]?: WebhookTable[Field] | undefined },
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

/** Removes the webhook and the events that it has not accepted. Each statement must see what others have committed before it. */
export async function deleteWebhook(tx: WriteTx, id: string): Promise<void> {
  // First: it waits for the transactions that are writing events for it.
  await docksTables(tx).deleteFrom('webhook').where('id', '=', id).execute()
  const waiting = docksTables(tx)
    .selectFrom('webhook_delivery')
    .select('event_id')
    .where('webhook_id', '=', id)
    .where('source', '=', 'waitlist')
  const waitlistEvents = (await waiting.execute()).map(({ event_id }) => event_id)
  await lockWaitlistEvents(tx, waitlistEvents)
  await docksTables(tx).deleteFrom('webhook_delivery').where('webhook_id', '=', id).execute()
  await removeSentWaitlistEvents(tx, waitlistEvents)
}

/** The webhook as it is to be delivered to; null if it was removed or stopped. */
export async function findActiveWebhook(tx: ReadTx, id: string): Promise<WebhookTable | null> {
  return (await runFindActiveWebhook(tx, { id }))[0] ?? null
}

const runFindActiveWebhook = precompileQuery((tx, { id }: { id: string }) =>
  docksTables(tx).selectFrom('webhook').selectAll().where('id', '=', id).where('stopped_at', 'is', null),
)

/** The webhook of any tenant, also a stopped one. */
export async function findAnyWebhook(tx: ReadTx, id: string): Promise<WebhookTable | null> {
  return (await docksTables(tx).selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

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
    .select(({ fn }) => fn.count<number>('event_id').as('pending'))
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
          .select('event_id'),
      ),
    )
    .orderBy('id'),
)

/** An event that a webhook has not accepted. */
export interface Delivery {
  source: EventSource
  eventId: number
  /** The appointment or the entry of the waitlist. */
  subjectId: string
  attempts: number
  /** JSON: the recipients of a mail that got it; null for none. */
  accepted: string | null
}

/** Deliveries that are due, at most one of an appointment or entry: its oldest event, because events are sent in order. */
export function listDueDeliveries(
  tx: ReadTx,
  webhookId: string,
  { now, limit }: { now: number; limit: number },
): Promise<Delivery[]> {
  return docksTables(tx)
    .selectFrom('webhook_delivery as due')
    .select(['source', 'event_id as eventId', 'subject_id as subjectId', 'attempts', 'accepted'])
    .where('webhook_id', '=', webhookId)
    .where('dead_at', 'is', null)
    .where('due_at', '<=', now)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('webhook_delivery as earlier')
            .whereRef('earlier.webhook_id', '=', 'due.webhook_id')
            .whereRef('earlier.subject_id', '=', 'due.subject_id')
            .where('earlier.dead_at', 'is', null)
            .whereRef('earlier.event_id', '<', 'due.event_id')
            .select('earlier.event_id'),
        ),
      ),
    )
    .orderBy('due_at')
    .orderBy('event_id')
    .limit(limit)
    .execute()
}

export async function deleteDeliveries(
  tx: WriteTx,
  webhookId: string,
  deliveries: readonly Pick<Delivery, 'source' | 'eventId'>[],
): Promise<void> {
  for (const source of ['appointment', 'waitlist'] as const) {
    const ids = deliveries.filter((each) => each.source === source).map(({ eventId }) => eventId)
    if (ids.length === 0) continue
    if (source === 'waitlist') await lockWaitlistEvents(tx, ids)
    await docksTables(tx)
      .deleteFrom('webhook_delivery')
      .where('webhook_id', '=', webhookId)
      .where('source', '=', source)
      .where('event_id', 'in', ids)
      .execute()
    if (source === 'waitlist') await removeSentWaitlistEvents(tx, ids)
  }
}

export interface FailedDelivery extends Delivery {
  error: string
  /** When to try again; null to give up. */
  retryAt: number | null
}

/**
 * Saves a failed attempt. The later events of the appointment or entry wait with this one, so that a search for due ones does not read them.
 * Returns false if the event is no longer waiting, because another process has delivered it or the webhook was removed.
 */
export async function saveFailedDelivery(
  tx: WriteTx,
  webhookId: string,
  { source, eventId, subjectId, attempts, accepted, error, retryAt }: FailedDelivery,
  now: number,
): Promise<boolean> {
  const ofSubject = docksTables(tx)
    .updateTable('webhook_delivery')
    .where('webhook_id', '=', webhookId)
    .where('subject_id', '=', subjectId)
    .where('dead_at', 'is', null)
  const saved = await ofSubject
    .set({ attempts: attempts + 1, accepted, error, dead_at: retryAt === null ? now : null })
    .where('source', '=', source)
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  if (saved.numUpdatedRows === 0n) return false
  // If this event is given up, the later ones are due at once.
  await ofSubject.set({ due_at: retryAt ?? now }).execute()
  return true
}

/** Sends again what was given up: one event, or all. Returns how many. */
export async function reviveDeliveries(
  tx: WriteTx,
  webhookId: string,
  { event, now }: { event: Pick<Delivery, 'source' | 'eventId'> | null; now: number },
): Promise<number> {
  let query = docksTables(tx)
    .updateTable('webhook_delivery')
    .set({ dead_at: null, attempts: 0, due_at: now })
    .where('webhook_id', '=', webhookId)
    .where('dead_at', 'is not', null)
  if (event !== null) query = query.where('source', '=', event.source).where('event_id', '=', event.eventId)
  return Number((await query.executeTakeFirst()).numUpdatedRows)
}

/** The events that were given up, oldest first. */
export function listDeadDeliveries(tx: ReadTx, webhookId: string) {
  return docksTables(tx)
    .selectFrom('webhook_delivery as delivery')
    .leftJoin('appointment_change as change', (join) =>
      join.onRef('change.id', '=', 'delivery.event_id').on('delivery.source', '=', 'appointment'),
    )
    .leftJoin('waitlist_event', (join) =>
      join.onRef('waitlist_event.id', '=', 'delivery.event_id').on('delivery.source', '=', 'waitlist'),
    )
    .select([
      'source',
      'event_id as eventId',
      'subject_id as subjectId',
      'attempts',
      'dead_at as deadAt',
      'error',
      'change.kind',
      'change.at',
      'waitlist_event.event',
    ])
    .where('webhook_id', '=', webhookId)
    .where('dead_at', 'is not', null)
    .orderBy('source')
    .orderBy('event_id')
    .execute()
}
