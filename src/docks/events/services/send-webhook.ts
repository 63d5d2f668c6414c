import type { AddressPolicy } from './address-policy'
import { openSignedRequests, type SignedTarget, type WebhookMessage } from './signed-requests'

export interface FailedAttempt {
  /** Why the receiver did not accept the message. */
  error: string
  /** The receiver said that it is gone, so no other message will be accepted. */
  isGone: boolean
}

export interface WebhookSender {
  /** Sends it once. Returns null if the receiver accepted it. */
  send(target: SignedTarget, message: WebhookMessage, sentAt: number): Promise<FailedAttempt | null>
  close(): void
}

/** An attempt must end before the lease of the deliverer does. */
const ATTEMPT_TIMEOUT_MS = 10_000

/** Sends over connections that stay open, and follows no redirect. */
export function openWebhookSender(policy: AddressPolicy): WebhookSender {
  const requests = openSignedRequests(policy)
  return {
    async send(target, message, sentAt) {
      const answer = await requests.post(target, message, { sentAt, timeoutMs: ATTEMPT_TIMEOUT_MS })
      if ('failure' in answer) return { error: answer.failure, isGone: false }
      const { status } = answer
      if (status >= 200 && status < 300) return null
      return { error: `the receiver answered with status ${status}`, isGone: status === GONE }
    },
    close: requests.close,
  }
}

/** Standard Webhooks: a receiver that answers with it wants no more messages. */
const GONE = 410
