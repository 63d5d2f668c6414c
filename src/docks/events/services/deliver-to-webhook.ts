import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../kernel'
import { SECOND_MS } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import {
  type Delivery,
  deleteDeliveries,
  findActiveWebhook,
  findMailTemplates,
  listDueDeliveries,
  saveFailedDelivery,
  stopWebhook,
} from '../../queries'
import type { WebhookTable } from '../migrations'
import { formatEventId } from '../rules/event-types'
import { isForContacts, isMailTarget, isTextTarget } from '../rules/mail-recipients'
import type { OwnTemplates } from '../rules/mail-templates'
import { computeRetryDelay } from '../rules/retry-schedule'
import { isTooLate } from './event-readers'
import { type DockEvent, readDockEvents, showToOutsider } from './read-events'
import type { MailSender } from './send-mail'
import { sendTexts } from './send-text'
import type { FailedAttempt, WebhookSender } from './send-webhook'

export type DeliveryContext = Pick<Context & StorageContext, 'db' | 'clock' | 'ids' | 'log' | 'signal'>

export interface Senders {
  sender: WebhookSender
  mail: MailSender
  /** Where readers of text messages reach the service; null for messages without links. */
  publicUrl: string | null
}

export interface DeliveryCounts {
  delivered: number
  /** Attempts that are repeated later. */
  failed: number
  /** Events that were given up. */
  dead: number
  /** Webhooks that were stopped because their receiver is gone. */
  stopped: number
}

const idOf = ({ source, eventId }: Delivery) => formatEventId(source, eventId)

/** Concurrent events to one webhook, each of another appointment or entry. */
const CONCURRENCY = 20
/** All recipients share the few connections to the mail server, so one of them must not need most of these. */
const MAIL_CONCURRENCY = 2
/** Each appointment has its own contacts, so they take turns at the mail server or the gateway. */
const CONTACTS_CONCURRENCY = 4
/** How often it looks for new events. */
const POLL_MS = 1 * SECOND_MS

/**
 * Sends the due events of one webhook until there are none: those of an appointment in order, the appointments independently of each other.
 * An event that takes long delays only the later ones of its appointment.
 * @param mayStart false when another process may deliver. The attempts that are in progress are still recorded.
 */
export async function deliverToWebhook(
  ctx: DeliveryContext,
  webhookId: string,
  { senders, counts, mayStart }: { senders: Senders; counts: DeliveryCounts; mayStart(): Promise<boolean> },
): Promise<void> {
  /** By event ID: events that are being sent or whose result is not saved. */
  const inProgress = new Map<string, Promise<void>>()
  let ended: Result[] = []
  const start = (webhook: WebhookTable, due: DueEvent) => {
    const attempt = sendEvent(ctx, senders, webhook, due).then(
      (failure) => void ended.push({ delivery: due.delivery, failure }),
    )
    inProgress.set(idOf(due.delivery), attempt)
  }
  try {
    for (;;) {
      if (!ctx.signal.aborted && (await mayStart())) {
        const { webhook, events } = await readDue(ctx, webhookId, inProgress)
        for (const due of events) start(webhook!, due)
      }
      if (inProgress.size === 0) return
      await waitForAny(inProgress.values(), ctx.signal)
      const results = ended
      ended = []
      await saveResults(ctx, webhookId, { results, counts })
      for (const { delivery } of results) inProgress.delete(idOf(delivery))
    }
  } finally {
    await Promise.allSettled(inProgress.values())
  }
}

/** Waits until one has ended, or for the next look. */
export async function waitForAny(inProgress: Iterable<Promise<void>>, signal: AbortSignal): Promise<void> {
  const timer = new AbortController()
  const stop = () => timer.abort()
  signal.addEventListener('abort', stop, { once: true })
  const nextLook = sleep(POLL_MS, undefined, { signal: timer.signal }).catch(() => {})
  try {
    await Promise.race([nextLook, ...inProgress])
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

interface DueEvent {
  delivery: Delivery
  event: DockEvent
  /** Of the tenant; none for a webhook that gets the events themselves. */
  templates: OwnTemplates
}

const noTemplates: OwnTemplates = new Map()

/** As many due events as may be started. The webhook is read with them, because its address or secret can change at any time. */
function readDue(
  { db, clock }: DeliveryContext,
  webhookId: string,
  inProgress: ReadonlyMap<string, unknown>,
): Promise<{ webhook: WebhookTable | null; events: DueEvent[] }> {
  return db.read(async (tx) => {
    const webhook = await findActiveWebhook(tx, webhookId)
    if (webhook === null) return { webhook, events: [] }
    const concurrency = getConcurrency(webhook)
    if (inProgress.size >= concurrency) return { webhook, events: [] }
    // Those in progress are still due.
    const limit = concurrency + inProgress.size
    const due = (await listDueDeliveries(tx, webhookId, { now: clock.now(), limit }))
      .filter((delivery) => !inProgress.has(idOf(delivery)))
      .slice(0, concurrency - inProgress.size)
    const events = await readDockEvents(tx, due)
    const shown = (event: DockEvent) => (isForOutsiders(webhook) ? showToOutsider(event) : event)
    const needsTemplates = due.length > 0 && isForReaders(webhook)
    const templates = needsTemplates ? await findMailTemplates(tx, webhook.tenant_id) : noTemplates
    return {
      webhook,
      events: due.map((delivery) => ({ delivery, event: shown(events.get(idOf(delivery))!), templates })),
    }
  })
}

/** Whether people read what it sends. */
function isForReaders(webhook: WebhookTable): boolean {
  return isMailTarget(webhook) || isTextTarget(webhook)
}

function getConcurrency(webhook: WebhookTable): number {
  if (isForContacts(webhook)) return CONTACTS_CONCURRENCY
  return isMailTarget(webhook) ? MAIL_CONCURRENCY : CONCURRENCY
}

function isForOutsiders(webhook: WebhookTable): boolean {
  return webhook.carrier !== null || isForContacts(webhook)
}

/** Sends an event once. Returns null if it was accepted. */
async function sendEvent(
  { clock }: DeliveryContext,
  { sender, mail, publicUrl }: Senders,
  webhook: WebhookTable,
  { event, delivery, templates }: DueEvent,
): Promise<FailedDueEvent | null> {
  const now = clock.now()
  if (!isForReaders(webhook)) return sender.send(webhook, toMessage(delivery, event), now)
  if (isTooLate(event, now)) return null
  const accepted: string[] = delivery.accepted === null ? [] : JSON.parse(delivery.accepted)
  const failed = isTextTarget(webhook)
    ? await sendTexts(webhook, event, {
        sender,
        publicUrl,
        templates,
        accepted,
        id: toMessageId(delivery),
        sentAt: now,
      })
    : await mail.send(webhook, event, { accepted, templates })
  return failed && { isGone: false, ...failed, accepted: JSON.stringify(failed.accepted) }
}

/** It lets a receiver recognize an event that it gets twice. */
const toMessageId = (delivery: Delivery) => `evt_${idOf(delivery)}`

function toMessage(delivery: Delivery, { event: type, id, timestamp, data }: DockEvent): { id: string; body: string } {
  return { id: toMessageId(delivery), body: JSON.stringify({ type, timestamp, data: { eventId: id, ...data } }) }
}

interface FailedDueEvent extends FailedAttempt {
  accepted?: string
}

interface Result {
  delivery: Delivery
  failure: FailedDueEvent | null
}

async function saveResults(
  { db, clock, ids, log }: DeliveryContext,
  webhookId: string,
  { results, counts }: { results: readonly Result[]; counts: DeliveryCounts },
): Promise<void> {
  if (results.length === 0) return
  const now = clock.now()
  const delivered = results.filter(({ failure }) => failure === null).map(({ delivery }) => delivery)
  // What a receiver that is gone did not accept is sent when the webhook is resumed, so it is no failed attempt.
  const gone = results.find(({ failure }) => failure?.isGone)?.failure
  const failed = results.flatMap(({ delivery, failure }) => {
    if (failure === null || failure.isGone) return []
    const delay = computeRetryDelay(delivery.attempts + 1, toFraction(ids.uuid()))
    const accepted = failure.accepted ?? delivery.accepted
    return [{ ...delivery, accepted, error: failure.error, retryAt: delay === null ? null : now + delay }]
  })
  const saved = await db.write(
    async (tx) => {
      // Locked before the events, as by the removal of a webhook.
      const isStopped = gone !== undefined && (await stopWebhook(tx, webhookId, { at: now, reason: gone!.error }))
      await deleteDeliveries(tx, webhookId, delivered)
      let [repeated, dead] = [0, 0]
      for (const failure of failed) {
        if (!(await saveFailedDelivery(tx, webhookId, failure, now))) continue
        if (failure.retryAt === null) dead += 1
        else repeated += 1
      }
      return { repeated, dead, isStopped }
    },
    { locksRows: true },
  )
  counts.delivered += delivered.length
  counts.failed += saved.repeated
  counts.dead += saved.dead
  const facts = { webhook: webhookId, delivered: delivered.length, failed: failed.length, error: failed[0]?.error }
  if (failed.length > 0) log.warn('a webhook did not accept all events', facts)
  else log.debug('a webhook accepted events', facts)
  if (!saved.isStopped) return
  counts.stopped += 1
  log.warn('a webhook was stopped', { webhook: webhookId, reason: gone!.error })
}

/** A number from 0 to 1 out of a random UUID. */
function toFraction(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8), 16) / 0xffffffff
}
