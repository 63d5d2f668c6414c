import type { Address } from './address'
import { type Effect, TrackerFault } from './fault'

/** How far a request had come when it failed. */
export interface Silence {
  address: Address
  /** The proxy that it went to, as people read it; null where it went straight. */
  through: string | null
  /** True once the head of an answer was there. */
  answering: boolean
}

const neverLeft = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])
const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT', 'STUDIO_DEADLINE'])
const distrusted = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/

/** The one place which says what a request without a usable answer means: name not known, refused, reset, too late, cut. */
export function faultOfSilence(error: unknown, { address, through, answering }: Silence): TrackerFault {
  const code = codeOf(error)
  const options = { cause: error, hint: hintFor(code, address, through) }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new TrackerFault('tracker_timeout', `No connection to the tracker ${address.label} in time.`, options)
  }
  const refusal = through === null ? null : refusalOf(error)
  if (refusal !== null) {
    const message = `The proxy ${through} does not let requests through to the tracker ${address.label} (${refusal}).`
    return new TrackerFault('tracker_unavailable', message, options)
  }
  if (neverLeft.has(code)) {
    const why = code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? 'its name is not known' : 'nothing takes the connection'
    return new TrackerFault('tracker_unavailable', `The tracker ${address.label} is out of reach: ${why}.`, options)
  }
  if (distrusted.test(code)) {
    const message = `The connection to the tracker ${address.label} is not trusted (${code}).`
    return new TrackerFault('tracker_unavailable', message, options)
  }
  const effect: Effect = 'unknown'
  if (timeouts.has(code)) {
    const message = `The tracker ${address.label} did not ${answering ? 'finish its answer' : 'answer'} in time.`
    return new TrackerFault('tracker_timeout', message, { ...options, effect })
  }
  return answering
    ? new TrackerFault('tracker_answer', `The answer of the tracker ${address.label} broke off.`, {
        ...options,
        effect,
        transient: true,
      })
    : new TrackerFault('tracker_unavailable', `The tracker ${address.label} closed the connection without an answer.`, {
        ...options,
        effect,
        transient: true,
      })
}

/** The status with which a proxy refused a tunnel; the client gives it in words alone. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  return (
    /^Proxy response \((\d+)\)|^Proxy Authentication Required \((407)\)/.exec(error.message)?.slice(1).find(Boolean) ??
    refusalOf(error.cause)
  )
}

function hintFor(code: string, address: Address, through: string | null): string {
  return distrusted.test(code)
    ? 'If the tracker has a certificate of your own authority, set NODE_EXTRA_CA_CERTS to its file.'
    : through === null
      ? `Asked: ${address.base}. It is the setting STUDIO_TRACKER_URL.`
      : `Asked: ${address.base}. A proxy is set, ${through}: HTTPS_PROXY or HTTP_PROXY names it, and NO_PROXY what goes around it.`
}

/** The system's or the client's code, also of an error that stands for several attempts to connect. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code } = error as NodeJS.ErrnoException
  if (typeof code === 'string' && code !== 'UND_ERR') return code
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return codeOf(error.cause)
}
