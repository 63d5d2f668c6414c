import { createHmac } from 'node:crypto'
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { errorCodeOf } from '../../../kernel'
import type { WebhookTable } from '../migrations'
import { type AddressPolicy, createCheckedLookup, NoPublicAddressError } from './address-policy'

/** A message, as the Standard Webhooks specification has it. */
export interface WebhookMessage {
  /** The same in every attempt. */
  id: string
  body: string
}

export type WebhookTarget = Pick<WebhookTable, 'url' | 'secret' | 'previous_secret' | 'previous_secret_until'>

export interface FailedAttempt {
  /** Why the receiver did not accept the message. */
  error: string
  /** The receiver said that it is gone, so no other message will be accepted. */
  isGone: boolean
}

export interface WebhookSender {
  /** Sends it once. Returns null if the receiver accepted it. */
  send(target: WebhookTarget, message: WebhookMessage, sentAt: number): Promise<FailedAttempt | null>
  close(): void
}

/** An attempt must end before the lease of the deliverer does. */
export const ATTEMPT_TIMEOUT_MS = 10_000

const SECRET_PREFIX = 'whsec_'

/** `random` is 44 characters of base62, which are 33 bytes in Base64. */
export function formatWebhookSecret(random: string): string {
  return `${SECRET_PREFIX}${random}`
}

/** `v1,` and the HMAC-SHA256 of the ID, the time in seconds and the body. */
export function signWebhook(secret: string, { id, body }: WebhookMessage, timestamp: number): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** With each secret that is valid: the new one, and the previous one until the overlap ends. */
function signWithAll(target: WebhookTarget, message: WebhookMessage, sentAt: number): string {
  const { secret, previous_secret: previous, previous_secret_until: until } = target
  const secrets = previous !== null && until !== null && sentAt < until ? [secret, previous] : [secret]
  return secrets.map((each) => signWebhook(each, message, toSeconds(sentAt))).join(' ')
}

const toSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/** Why nothing may be sent to the address; null if it may. The name of a host is checked when it is resolved. */
export function refuseWebhookUrl(text: string, { isAllowed, isLoopback }: AddressPolicy): string | null {
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password'
  const host = hostOf(url)
  const isAddress = isIP(host) !== 0
  if (isAddress && !isAllowed(host)) return 'must not be an address of a private network or of this machine'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isAddress && isLoopback(host)))
    return 'must be an https address'
  return null
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** Sends over connections that stay open, and follows no redirect. */
export function openWebhookSender(policy: AddressPolicy): WebhookSender {
  const lookup = createCheckedLookup(policy.isAllowed)
  const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) }
  return {
    async send(target, message, sentAt) {
      const refusal = refuseWebhookUrl(target.url, policy)
      if (refusal !== null) return { error: `the URL ${refusal}`, isGone: false }
      const url = new URL(target.url)
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(message.body),
        'user-agent': 'story-studio',
        'webhook-id': message.id,
        'webhook-timestamp': toSeconds(sentAt),
        'webhook-signature': signWithAll(target, message, sentAt),
      }
      const isPlain = url.protocol === 'http:'
      const agent = isPlain ? agents['http:'] : agents['https:']
      const options = { method: 'POST', headers, lookup, agent, signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS) }
      try {
        const status = await post(isPlain ? httpRequest : httpsRequest, url, options, message.body)
        if (status >= 200 && status < 300) return null
        return { error: `the receiver answered with status ${status}`, isGone: status === GONE }
      } catch (error) {
        return { error: describeFailure(error), isGone: false }
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** The status of the response. Its body is not read: one that is longer than a little closes the connection. */
function post(request: typeof httpRequest, url: URL, options: RequestOptions, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      let received = 0
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
        if (received > MAX_RESPONSE_BYTES) sent.destroy()
      })
      response.on('error', () => {})
      resolve(response.statusCode!)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Standard Webhooks: a receiver that answers with it wants no more messages. */
const GONE = 410

/** A longer response is not worth the connection. */
const MAX_RESPONSE_BYTES = 64 * 1024

function describeFailure(error: unknown): string {
  if (error instanceof NoPublicAddressError) return error.message
  const isLate = error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)
  if (isLate) return `the receiver did not answer within ${ATTEMPT_TIMEOUT_MS / 1000} seconds`
  return `the receiver could not be reached (${errorCodeOf(error) || 'connection error'})`
}
