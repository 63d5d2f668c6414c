import { createHmac } from 'node:crypto'
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { isIP } from 'node:net'
import { errorCodeOf } from '../../../kernel'
import type { WebhookTable } from '../migrations'
import { type AddressPolicy, createCheckedLookup, NoPublicAddressError } from './address-policy'

/** A message, as the Standard Webhooks specification has it. */
export interface WebhookMessage {
  /** The same in every attempt. */
  id: string
  body: string
  /** JSON, if none is given. */
  contentType?: string
}

export type SignedTarget = Pick<WebhookTable, 'url' | 'secret' | 'previous_secret' | 'previous_secret_until'> &
  Partial<Pick<WebhookTable, 'authorization'>>

/** The answer of a receiver, or why there is none. */
export type SignedAnswer = { status: number; body: string } | { failure: string }

export interface SignedRequests {
  /** Sends it once. Of a body, no more than 64 KiB is read. */
  post(
    target: SignedTarget,
    message: WebhookMessage,
    options: { sentAt: number; timeoutMs: number; signal?: AbortSignal },
  ): Promise<SignedAnswer>
  close(): void
}

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

/** The secrets that are valid: the new one, and the previous one until the overlap ends. */
export function listSecrets(target: Omit<SignedTarget, 'url' | 'authorization'>, now: number): string[] {
  const { secret, previous_secret: previous, previous_secret_until: until } = target
  return previous !== null && until !== null && now < until ? [secret, previous] : [secret]
}

function signWithAll(target: SignedTarget, message: WebhookMessage, sentAt: number): string {
  return listSecrets(target, sentAt)
    .map((each) => signWebhook(each, message, toSeconds(sentAt)))
    .join(' ')
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

/** Connections that stay open. A redirect is not followed: it is the answer. */
export function openSignedRequests(policy: AddressPolicy): SignedRequests {
  const lookup = createCheckedLookup(policy.isAllowed)
  const httpAgent = new HttpAgent({ keepAlive: true })
  let httpsAgent: HttpsAgent | null = null
  // TLS takes long to load, and each booking opens the requests although few facilities have an endpoint that judges it.
  const openHttps = async () => {
    const { Agent, request } = await import('node:https')
    httpsAgent ??= new Agent({ keepAlive: true })
    return { request, agent: httpsAgent }
  }
  return {
    async post(target, message, { sentAt, timeoutMs, signal }) {
      const refusal = refuseWebhookUrl(target.url, policy)
      if (refusal !== null) return { failure: `the URL ${refusal}` }
      const url = new URL(target.url)
      const headers = {
        ...(target.authorization && { authorization: target.authorization }),
        'content-type': message.contentType ?? 'application/json',
        'content-length': Buffer.byteLength(message.body),
        'user-agent': 'story-studio',
        'webhook-id': message.id,
        'webhook-timestamp': toSeconds(sentAt),
        'webhook-signature': signWithAll(target, message, sentAt),
      }
      const { request, agent } =
        url.protocol === 'http:' ? { request: httpRequest, agent: httpAgent } : await openHttps()
      const late = AbortSignal.timeout(timeoutMs)
      const options = {
        method: 'POST',
        headers,
        lookup,
        agent,
        signal: signal ? AbortSignal.any([signal, late]) : late,
      }
      try {
        return await post(request, url, options, message.body)
      } catch (error) {
        signal?.throwIfAborted()
        return { failure: describeFailure(error, timeoutMs) }
      }
    },
    close() {
      httpAgent.destroy()
      httpsAgent?.destroy()
    },
  }
}

function post(
  request: typeof httpRequest,
  url: URL,
  options: RequestOptions,
  body: string,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = []
      let received = 0
      const end = () => resolve({ status: response.statusCode!, body: Buffer.concat(chunks).toString() })
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
        if (received <= MAX_RESPONSE_BYTES) return void chunks.push(chunk)
        end()
        sent.destroy()
      })
      response.on('end', end)
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** A longer response is not worth the connection. */
const MAX_RESPONSE_BYTES = 64 * 1024

function describeFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof NoPublicAddressError) return error.message
  const isLate = error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name)
  if (isLate) return `the receiver did not answer within ${timeoutMs / 1000} seconds`
  return `the receiver could not be reached (${errorCodeOf(error) || 'connection error'})`
}
