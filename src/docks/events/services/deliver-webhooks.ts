import { Lease } from '../../../background/lease'
import { SECOND_MS } from '../../../kernel/time'
import { listWebhooksDue } from '../../queries'
import {
  type DeliveryContext,
  type DeliveryCounts,
  deliverToWebhook,
  type Senders,
  waitForAny,
} from './deliver-to-webhook'

export interface DeliveryOptions extends Senders {
  /** True to return when nothing is due, false to wait for more until the signal is aborted. */
  isOnce: boolean
  /** Called whenever the database has said what is due. */
  onLook?(): void
}

export interface DeliveryReport extends DeliveryCounts {
  /** True if another process delivers. */
  isBusy: boolean
}

/** Longer than an attempt takes, so that no other process starts while one is on its way. */
const LEASE_MS = 30 * SECOND_MS
const RENEW_BELOW_MS = 20 * SECOND_MS

/**
 * Sends the events that are due: those of one appointment in order, each until its webhook has accepted it or all attempts have failed.
 * Webhooks do not wait for each other. A process that dies has sent some events whose delivery is not recorded, and the next one sends
 * them again.
 */
export async function deliverWebhooks(
  ctx: DeliveryContext,
  { isOnce, onLook, ...senders }: DeliveryOptions,
): Promise<DeliveryReport> {
  const { db, clock, signal } = ctx
  const report: DeliveryReport = { delivered: 0, failed: 0, dead: 0, stopped: 0, isBusy: false }
  const lease = new Lease(ctx, { work: 'webhooks', forMs: LEASE_MS, renewBelowMs: RENEW_BELOW_MS })
  const inProgress = new Map<string, Promise<void>>()
  const failures: unknown[] = []
  const mayStart = async () => failures.length === 0 && (await lease.hold())
  const start = (id: string) => {
    const delivery = deliverToWebhook(ctx, id, { senders, counts: report, mayStart })
      .catch((error) => void failures.push(error))
      .finally(() => inProgress.delete(id))
    inProgress.set(id, delivery)
  }
  try {
    do {
      const due = await db.read((tx) => listWebhooksDue(tx, clock.now()), { createsNone: true })
      onLook?.()
      const idle = due.filter((id) => !inProgress.has(id))
      report.isBusy = (idle.length > 0 || inProgress.size > 0) && !(await lease.hold())
      if (!report.isBusy) for (const id of idle) start(id)
      if (isOnce) await Promise.all(inProgress.values())
      else await waitForAny(inProgress.values(), signal)
      if (failures.length > 0) throw failures[0]
    } while (!isOnce && !signal.aborted)
  } finally {
    await Promise.all(inProgress.values())
    await lease.release()
  }
  return report
}
