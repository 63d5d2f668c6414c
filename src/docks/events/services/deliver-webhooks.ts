import { setTimeout as sleep } from 'node:timers/promises'
import { Lease } from '../../../background/lease'
import type { Context } from '../../../kernel'
import { SECOND_MS } from '../../../kernel/time'
import { MAIL_BATCH_SIZE } from '../../../mail'
import type { StorageContext } from '../../../storage'
import {
  type Delivery,
  deleteDeliveries,
  type FailedDelivery,
  listDueDeliveries,
  listWebhooksDue,
  saveFailedDelivery,
} from '../../queries'
import type { WebhookTable } from '../migrations'
import { computeRetryDelay } from '../rules/retry-schedule'
import { type AppointmentEvent, readEvents } from './read-events'
import { isMailTarget, type MailSender } from './send-mail'
import type { WebhookSender } from './send-webhook'

export interface DeliveryOptions {
  sender: WebhookSender
  mail: MailSender
  /** True to return when nothing is due, false to wait for more until the signal is aborted. */
  isOnce: boolean
  /** Called whenever the database has said what is due. */
  onLook?(): void
}

export interface DeliveryReport {
  delivered: number
  /** Attempts that are repeated later. */
  failed: number
  /** Events that were given up. */
  dead: number
  /** True if another process delivers. */
  isBusy: boolean
}

/** Concurrent requests to one webhook. */
const BATCH_SIZE = 20
/** How often it looks for new events. */
const POLL_MS = 1 * SECOND_MS
/** Longer than a batch takes, so that no other process starts while one is on its way. */
const LEASE_MS = 30 * SECOND_MS
const RENEW_BELOW_MS = 20 * SECOND_MS

type DeliveryContext = Pick<Context & StorageContext, 'db' | 'clock' | 'ids' | 'log' | 'signal'>

/**
 * Sends the events that are due: those of one appointment in order, each until its webhook has accepted it or all attempts have failed.
 * Webhooks do not wait for each other. A process that dies has sent some events whose delivery is not recorded, and the next one sends
 * them again.
 */
export async function deliverWebhooks(
  ctx: DeliveryContext,
  { sender, mail, isOnce, onLook }: DeliveryOptions,
): Promise<DeliveryReport> {
  const { db, clock, signal } = ctx
  const report: DeliveryReport = { delivered: 0, failed: 0, dead: 0, isBusy: false }
  const lease = new Lease(ctx, { work: 'webhooks', forMs: LEASE_MS, renewBelowMs: RENEW_BELOW_MS })
  const inProgress = new Map<string, Promise<void>>()
  const failures: unknown[] = []
  try {
    while (!signal.aborted) {
      if (failures.length > 0) throw failures[0]
      const due = await db.read((tx) => listWebhooksDue(tx, clock.now()), { createsNone: true })
      onLook?.()
      const idle = due.filter(({ id }) => !inProgress.has(id))
      report.isBusy = (idle.length > 0 || inProgress.size > 0) && !(await lease.hold())
      let hasStarted = false
      for (const webhook of report.isBusy ? [] : idle) {
        const batch = await readBatch(ctx, webhook)
        if (batch.length === 0) continue
        hasStarted = true
        const sent = deliverBatch(ctx, { webhook, batch, sender, mail, report }).catch(
          (error) => void failures.push(error),
        )
        inProgress.set(
          webhook.id,
          sent.finally(() => inProgress.delete(webhook.id)),
        )
      }
      if (isOnce && inProgress.size === 0 && !hasStarted) break
      await waitForAny(inProgress.values(), signal)
    }
  } finally {
    await Promise.all(inProgress.values())
    await lease.release()
  }
  return report
}

/** Waits until one has ended, or for the next look. */
async function waitForAny(inProgress: Iterable<Promise<void>>, signal: AbortSignal): Promise<void> {
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
  event: AppointmentEvent
}

function readBatch({ db, clock }: DeliveryContext, webhook: WebhookTable): Promise<DueEvent[]> {
  const limit = isMailTarget(webhook) ? MAIL_BATCH_SIZE : BATCH_SIZE
  return db.read(async (tx) => {
    const due = await listDueDeliveries(tx, webhook.id, { now: clock.now(), limit })
    const events = await readEvents(tx, due)
    return due.map((delivery) => ({ delivery, event: events.get(delivery.changeId)! }))
  })
}

interface Batch {
  webhook: WebhookTable
  batch: readonly DueEvent[]
  sender: WebhookSender
  mail: MailSender
  report: DeliveryReport
}

async function deliverBatch(ctx: DeliveryContext, { webhook, batch, sender, mail, report }: Batch): Promise<void> {
  const { clock, ids, log } = ctx
  const delivered: number[] = []
  const failed: FailedDelivery[] = []
  const deliver = async ({ delivery, event }: DueEvent) => {
    const error = isMailTarget(webhook)
      ? await mail.send(webhook, event)
      : await sender.send(webhook, toMessage(event), clock.now())
    if (error === null) return void delivered.push(delivery.changeId)
    const delay = computeRetryDelay(delivery.attempts + 1, toFraction(ids.uuid()))
    failed.push({ ...delivery, error, retryAt: delay === null ? null : clock.now() + delay })
  }
  await Promise.all(batch.map(deliver))
  await ctx.db.write(
    async (tx) => {
      await deleteDeliveries(tx, webhook.id, delivered)
      for (const failure of failed) await saveFailedDelivery(tx, webhook.id, failure, clock.now())
    },
    { locksRows: true },
  )
  const dead = failed.filter(({ retryAt }) => retryAt === null).length
  report.delivered += delivered.length
  report.failed += failed.length - dead
  report.dead += dead
  const facts = { webhook: webhook.id, delivered: delivered.length, failed: failed.length, error: failed[0]?.error }
  if (failed.length > 0) log.warn('a webhook did not accept all events', facts)
  else log.debug('a webhook accepted events', facts)
}

/** The message of an event. Its ID lets a receiver recognize an event that it gets twice. */
function toMessage({ event: type, id, timestamp, data }: AppointmentEvent): { id: string; body: string } {
  return { id: `evt_${id}`, body: JSON.stringify({ type, timestamp, data: { eventId: id, ...data } }) }
}

/** A number from 0 to 1 out of a random UUID. */
function toFraction(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8), 16) / 0xffffffff
}
