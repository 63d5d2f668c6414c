import type { HttpResponse } from './http-client'
import type { TrackerAddress } from './tracker-address'
import { TrackerError } from './tracker-error'

/** What error messages say about the tracker. */
export interface TrackerAccess {
  address: TrackerAddress
  hasToken: boolean
  /** What the address must be: `the address of the tracker with its organization`. */
  addressForm: string
}

export function createThrottledError(response: HttpResponse): TrackerError {
  const seconds = toRetrySeconds(response)
  const when = seconds === undefined ? '' : ` It asks for a pause of ${seconds} s.`
  return new TrackerError('tracker_throttled', `The tracker limits the rate of requests.${when}`, {
    retryAfterSeconds: seconds,
    isTransient: true,
  })
}

export function createNotJsonError(response: HttpResponse, access: TrackerAccess): TrackerError {
  const claimsJson = /json/i.test(response.contentType)
  const what = claimsJson ? 'JSON that breaks off or is not valid' : `not JSON (${response.contentType || 'no type'})`
  return new TrackerError('tracker_answer', `The tracker ${access.address.label} answered ${what}.`, {
    hint: createAddressHint(access),
    isTransient: claimsJson,
    effect: 'unknown',
  })
}

export function createRedirectError(response: HttpResponse, access: TrackerAccess): TrackerError {
  const target =
    response.location !== null && URL.canParse(response.location) ? new URL(response.location).host : 'elsewhere'
  const message = `The tracker ${access.address.label} redirects to ${target}; redirects are not followed.`
  return new TrackerError('tracker_answer', message, { hint: createAddressHint(access) })
}

export function createUnavailableError(response: HttpResponse, text: string, access: TrackerAccess): TrackerError {
  const seconds = toRetrySeconds(response)
  const code = response.status === 504 ? 'tracker_timeout' : 'tracker_unavailable'
  return new TrackerError(code, `The tracker ${access.address.label} is not available: ${text}`, {
    hint: seconds === undefined ? createAddressHint(access) : `Try again in ${seconds} s.`,
    retryAfterSeconds: seconds,
    isTransient: true,
    effect: 'unknown',
  })
}

export function createAddressHint({ address, addressForm }: TrackerAccess): string {
  return `Check the setting STUDIO_TRACKER_URL: ${address.base} must be ${addressForm}.`
}

function toRetrySeconds(response: HttpResponse): number | undefined {
  return response.retryAfterMs === null ? undefined : Math.ceil(response.retryAfterMs / 1000)
}

const MAX_TEXT_LENGTH = 500

/** Puts a remote text on one line, without control characters or markup, and shortens it. */
export function cleanText(text: string): string {
  const plain = text
    .replace(/<\/?(?:a|b|br|code|div|em|i|li|ol|p|span|strong|ul)(?:\s[^<>]*)?\/?>/gi, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > MAX_TEXT_LENGTH ? `${plain.slice(0, MAX_TEXT_LENGTH - 1)}…` : plain
}
