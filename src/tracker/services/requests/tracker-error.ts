import { type ErrorCode, type ErrorOptions, StudioError } from '../../../kernel'
import { findNetworkErrorCode, UNREACHABLE_CODES } from '../../../kernel/errors'
import type { TrackerAddress } from '../tracker-address'

/**
 * What a failed request may have done. `none`: it was refused or never sent.
 * `unknown`: the tracker may have received it, so only reading again shows the result.
 */
type RequestEffect = 'none' | 'unknown'

interface TrackerErrorOptions extends ErrorOptions {
  /** Whether the same read may succeed if it is sent again. */
  isTransient?: boolean
  effect?: RequestEffect
  /** The tracker's own error code: `VS402337`. */
  trackerCode?: string
  /** Whether the tracker found fault with the request itself, such as with its query. */
  isBadRequest?: boolean
}

/** A request to the tracker failed. */
export class TrackerError extends StudioError {
  readonly isTransient: boolean
  readonly effect: RequestEffect
  readonly trackerCode: string
  readonly isBadRequest: boolean

  constructor(code: ErrorCode, message: string, options: TrackerErrorOptions = {}) {
    super(code, message, options)
    this.isTransient = options.isTransient ?? false
    this.effect = options.effect ?? 'none'
    this.trackerCode = options.trackerCode ?? ''
    this.isBadRequest = options.isBadRequest ?? false
  }
}

/** The error for a caller that has left or whose own time limit has passed. */
export function createInterruptedError(signal: AbortSignal, effect: RequestEffect): TrackerError {
  const reason: unknown = signal.reason
  if (reason instanceof StudioError) {
    return new TrackerError(reason.code, reason.message, { hint: reason.hint ?? undefined, effect, cause: reason })
  }
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new TrackerError('tracker_timeout', 'The tracker took longer than this call allows.', { effect })
  }
  return new TrackerError('interrupted', 'Interrupted while waiting for the tracker.', { effect })
}

export class ResponseTooLargeError extends TrackerError {
  constructor(limitBytes: number) {
    super('tracker_answer', `The tracker's response is larger than ${Math.floor(limitBytes / 1024 / 1024)} MiB.`, {
      effect: 'unknown',
    })
  }
}

/** The same result, or `not_found` with this message. */
export async function renameMissing<Value>(
  reading: Promise<Value>,
  message: string,
  options: ErrorOptions = {},
): Promise<Value> {
  return reading.catch((error: unknown) => {
    throw error instanceof TrackerError && error.code === 'not_found'
      ? new TrackerError('not_found', message, options)
      : error
  })
}

/** Whether the tracker was reached but did not provide this one thing, so the caller can do without it. */
export function isRefusal(error: unknown): error is TrackerError {
  return error instanceof TrackerError && ['tracker_forbidden', 'not_found', 'tracker_answer'].includes(error.code)
}

/** Whether the tracker found fault with what the caller has asked for. */
export function isBadRequest(error: unknown): error is TrackerError {
  return error instanceof TrackerError && error.isBadRequest
}

/** For a request whose answer says nothing if the tracker refuses it. */
export function ignoreRefusal(error: unknown): void {
  if (!isRefusal(error)) throw error
}

/** Whether the tracker will refuse the same request every time. */
export function isPermanentRefusal(error: unknown): error is TrackerError {
  return isRefusal(error) && error.code !== 'tracker_answer'
}

/** How far a request had come when it failed. */
interface ConnectionFailure {
  address: TrackerAddress
  /** The name of the setting with the address. */
  addressSetting: string
  /** The origin of another server of the tracker, such as the one with its files; null for the tracker itself. */
  otherOrigin: string | null
  /** The host of the proxy; null for a direct connection. */
  proxy: string | null
  /** True once the head of a response has arrived. */
  hasResponseStarted: boolean
}

const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT', 'STUDIO_DEADLINE'])
const CERTIFICATE_CODES = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/

/** Classifies a request that got no usable response: name not known, refused, reset, too late or cut off. */
export function createConnectionError(error: unknown, failure: ConnectionFailure): TrackerError {
  const { proxy, otherOrigin, hasResponseStarted } = failure
  const tracker = `${otherOrigin === null ? '' : `server ${new URL(otherOrigin).host} of the `}tracker ${failure.address.label}`
  const code = findNetworkErrorCode(error)
  const fail = (kind: ErrorCode, message: string, more: TrackerErrorOptions = {}) =>
    new TrackerError(kind, message, { cause: error, hint: createHint(code, failure), ...more })
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return fail('tracker_timeout', `Connecting to the ${tracker} timed out.`)
  const refusal = proxy === null ? null : findProxyRefusal(error)
  if (refusal !== null) {
    return fail(
      'tracker_unavailable',
      `The proxy ${proxy} does not let requests through to the ${tracker} (${refusal}).`,
    )
  }
  if (UNREACHABLE_CODES.has(code)) {
    return fail('tracker_unavailable', `The ${tracker} cannot be reached: ${describeUnreachable(code)}.`)
  }
  if (CERTIFICATE_CODES.test(code))
    return fail('tracker_unavailable', `The connection to the ${tracker} is not trusted (${code}).`)
  if (TIMEOUT_CODES.has(code)) {
    const message = `The ${tracker} did not ${hasResponseStarted ? 'finish its response' : 'respond'} in time.`
    return fail('tracker_timeout', message, { effect: 'unknown' })
  }
  const interrupted = { effect: 'unknown', isTransient: true } as const
  return hasResponseStarted
    ? fail('tracker_answer', `The response of the ${tracker} was cut off.`, interrupted)
    : fail('tracker_unavailable', `The ${tracker} closed the connection without a response.`, interrupted)
}

function describeUnreachable(code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknown host name'
  return code === 'ECONNREFUSED' ? 'connection refused' : 'no network leads to it'
}

/** The status with which a proxy refused a tunnel. The HTTP client reports it only in its message. */
function findProxyRefusal(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  return (
    /^Proxy response \((\d+)\)|^Proxy Authentication Required \((407)\)/.exec(error.message)?.slice(1).find(Boolean) ??
    findProxyRefusal(error.cause)
  )
}

function createHint(code: string, { address, addressSetting, otherOrigin, proxy }: ConnectionFailure): string {
  if (CERTIFICATE_CODES.test(code)) {
    return 'If the certificate of the tracker is from your own authority, set NODE_EXTRA_CA_CERTS to the file of that authority.'
  }
  const shown = otherOrigin === null ? `The address is ${address.base}` : `The address of that server is ${otherOrigin}`
  if (proxy !== null)
    return `${shown}, through the proxy ${proxy}. HTTPS_PROXY or HTTP_PROXY sets the proxy, NO_PROXY the exceptions.`
  return otherOrigin === null
    ? `${shown}, from the setting ${addressSetting}.`
    : `${shown}. If a firewall blocks it, allow that address too.`
}
