import type { TrackerAddress } from './tracker-address'
import { type RequestEffect, TrackerError } from './tracker-error'

/** How far a request had come when it failed. */
export interface ConnectionFailure {
  address: TrackerAddress
  /** The proxy that it went to, as people read it; null where it went straight. */
  proxy: string | null
  /** True once the head of an answer was there. */
  hasResponseStarted: boolean
}

const UNREACHABLE_CODES = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
])
const TIMEOUT_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT', 'STUDIO_DEADLINE'])
const CERTIFICATE_CODES = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/

/** The one place which says what a request without a usable answer means: name not known, refused, reset, too late, cut. */
export function createConnectionError(
  error: unknown,
  { address, proxy: through, hasResponseStarted: answering }: ConnectionFailure,
): TrackerError {
  const code = findErrorCode(error)
  const options = { cause: error, hint: createHint(code, address, through) }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new TrackerError('tracker_timeout', `No connection to the tracker ${address.label} in time.`, options)
  }
  const refusal = through === null ? null : findProxyRefusal(error)
  if (refusal !== null) {
    const message = `The proxy ${through} does not let requests through to the tracker ${address.label} (${refusal}).`
    return new TrackerError('tracker_unavailable', message, options)
  }
  if (UNREACHABLE_CODES.has(code)) {
    const why = code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? 'its name is not known' : 'nothing takes the connection'
    return new TrackerError('tracker_unavailable', `The tracker ${address.label} is out of reach: ${why}.`, options)
  }
  if (CERTIFICATE_CODES.test(code)) {
    const message = `The connection to the tracker ${address.label} is not trusted (${code}).`
    return new TrackerError('tracker_unavailable', message, options)
  }
  const effect: RequestEffect = 'unknown'
  if (TIMEOUT_CODES.has(code)) {
    const message = `The tracker ${address.label} did not ${answering ? 'finish its answer' : 'answer'} in time.`
    return new TrackerError('tracker_timeout', message, { ...options, effect })
  }
  return answering
    ? new TrackerError('tracker_answer', `The answer of the tracker ${address.label} broke off.`, {
        ...options,
        effect,
        isTransient: true,
      })
    : new TrackerError('tracker_unavailable', `The tracker ${address.label} closed the connection without an answer.`, {
        ...options,
        effect,
        isTransient: true,
      })
}

/** The status with which a proxy refused a tunnel; the client gives it in words alone. */
function findProxyRefusal(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  return (
    /^Proxy response \((\d+)\)|^Proxy Authentication Required \((407)\)/.exec(error.message)?.slice(1).find(Boolean) ??
    findProxyRefusal(error.cause)
  )
}

function createHint(code: string, address: TrackerAddress, through: string | null): string {
  return CERTIFICATE_CODES.test(code)
    ? 'If the tracker has a certificate of your own authority, set NODE_EXTRA_CA_CERTS to its file.'
    : through === null
      ? `Asked: ${address.base}. It is the setting STUDIO_TRACKER_URL.`
      : `Asked: ${address.base}. A proxy is set, ${through}: HTTPS_PROXY or HTTP_PROXY names it, and NO_PROXY what goes around it.`
}

/** The system's or the client's code, also of an error that stands for several attempts to connect. */
function findErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code } = error as NodeJS.ErrnoException
  if (typeof code === 'string' && code !== 'UND_ERR') return code
  if (error instanceof AggregateError && error.errors.length > 0) return findErrorCode(error.errors[0])
  return findErrorCode(error.cause)
}
