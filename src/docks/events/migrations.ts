import type { Generated, Kysely } from 'kysely'
import type { EventSource } from './rules/event-types'
import type { MailKind } from './rules/mail-templates'

/** Where the events of a tenant are sent. */
export interface WebhookTable {
  id: string
  tenant_id: string
  url: string
  /** The secret itself, because every signature is made with it, and every link to answer an offer. */
  secret: string
  /** The secret before it, which signs too until the time; null if none does. */
  previous_secret: string | null
  previous_secret_until: number | null
  /** Only events of this facility; null for all. */
  facility_id: string | null
  /** Only events of this carrier; null for all. */
  carrier: string | null
  /** Only these kinds of changes, as `formatEventTypes` writes them; null for all. */
  event_kinds: string | null
  /** The body of its requests, which send text messages to the contacts; null for one that gets the events themselves. */
  body_template: string | null
  /** The header of this name, in each request; null for none. It is as secret as the secret. */
  authorization: string | null
  created_at: number
  /** When its receiver said that it is gone; null while events are sent. */
  stopped_at: number | null
  stop_reason: string | null
}

export async function createWebhookTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('webhook')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenant.id'))
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('previous_secret', 'text')
    .addColumn('previous_secret_until', 'bigint')
    .addColumn('facility_id', 'text')
    .addColumn('carrier', 'text')
    .addColumn('event_kinds', 'text')
    .addColumn('body_template', 'text')
    .addColumn('authorization', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('stopped_at', 'bigint')
    .addColumn('stop_reason', 'text')
    .execute()
  await db.schema.createIndex('webhook_tenant').on('webhook').column('tenant_id').execute()
}

/** An event that a webhook has not accepted yet. Written in the transaction of the change, removed when it was delivered. */
export interface WebhookDeliveryTable {
  /** No reference, because a booking must not fail while the webhook is removed. */
  webhook_id: string
  source: EventSource
  /** ID of the change or of the event of the waitlist. No reference, because it is of one of two tables. */
  event_id: number
  /** The appointment or the entry of the waitlist. Its events are sent in order. */
  subject_id: string
  /** How often it was sent. */
  attempts: number
  /** When it is sent next. */
  due_at: number
  /** When it was given up; null while it is tried. */
  dead_at: number | null
  /** JSON: the recipients of a mail that got it, before it failed for others; null for none. */
  accepted: string | null
  /** Why the last attempt failed. */
  error: string | null
}

export async function createWebhookDeliveryTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('webhook_delivery')
    .addColumn('webhook_id', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('event_id', 'integer', (c) => c.notNull())
    .addColumn('subject_id', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('dead_at', 'bigint')
    .addColumn('accepted', 'text')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('webhook_delivery_key', ['webhook_id', 'source', 'event_id'])
    .execute()
  await db.schema
    .createIndex('webhook_delivery_due')
    .on('webhook_delivery')
    .columns(['webhook_id', 'dead_at', 'due_at', 'event_id'])
    .execute()
  await db.schema
    .createIndex('webhook_delivery_subject')
    .on('webhook_delivery')
    .columns(['webhook_id', 'subject_id', 'dead_at', 'event_id'])
    .execute()
  // The archive looks for the deliveries of each appointment.
  await db.schema.createIndex('webhook_delivery_by_subject_id').on('webhook_delivery').column('subject_id').execute()
}

/** What happened to an entry of the waitlist, until the last webhook that gets it has accepted it. */
export interface WaitlistEventTable {
  id: Generated<number>
  entry_id: string
  /** JSON: WaitlistEvent without its ID, as it was then, because the entry changes and is removed. */
  event: string
}

export async function createWaitlistEventTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('waitlist_event')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('entry_id', 'text', (c) => c.notNull())
    .addColumn('event', 'text', (c) => c.notNull())
    .execute()
}

/** What a tenant writes in the mails of a kind. */
export interface MailTemplateTable {
  tenant_id: string
  kind: MailKind
  /** Null for the default. */
  subject: string | null
  text: string | null
  updated_at: number
}

export async function createMailTemplateTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('mail_template')
    .addColumn('tenant_id', 'text', (c) => c.notNull().references('tenant.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('subject', 'text')
    .addColumn('text', 'text')
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('mail_template_key', ['tenant_id', 'kind'])
    .execute()
}
