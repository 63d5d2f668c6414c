import type { SettingNames } from '../setting-names'
import type { TrackerAddress } from '../tracker-address'
import type { HttpResponse } from './http-client'
import { TrackerError } from './tracker-error'

/** What error messages say about the tracker. */
export interface TrackerAccess {
  address: TrackerAddress
  hasToken: boolean
  /** What to do if the tracker rejects the token, if it is not to create another one; null for that. */
  tokenAdvice: string | null
  names: SettingNames
  /** What the address must be: `the address of the tracker with its organization`. */
  addressForm: string
}

/** What differs between trackers in their errors by HTTP status. */
export interface StatusRules {
  /** The message in the body; empty if there is none. */
  text: string
  /** The name of the API: `GitHub API`. */
  api: string
  /** How to get a token that the tracker accepts, and one with more rights. */
  tokenHint: string
  forbiddenHint: string
}

/** Decides by the status whether a response can be used, and if not, which error it means. Null for JSON, and if nothing is newer (304). */
export function classifyStatus(response: HttpResponse, access: TrackerAccess, rules: StatusRules): TrackerError | null {
  const { status } = response
  const { text, api, tokenHint, forbiddenHint } = rules
  if (status === 304) return null
  if (status === 401 || isSignIn(response)) return createTokenError(status === 401 ? text : '', access, tokenHint)
  if (status === 429) return createThrottledError(response)
  if (status === 403) return createForbiddenError(text || access.address.label, forbiddenHint)
  if (status >= 200 && status < 300) return response.json === undefined ? createNotJsonError(response, access) : null
  if (status >= 300 && status < 400) return createRedirectError(response, access)
  if (status === 404)
    return new TrackerError('tracker_answer', `There is no ${api} at ${access.address.base}.`, {
      hint: createAddressHint(access),
    })
  const message = text || `HTTP ${status}.`
  if ([502, 503, 504].includes(status)) return createUnavailableError(response, message, access)
  return status >= 500
    ? new TrackerError('tracker_answer', `The tracker failed on the request: ${message}`, { effect: 'unknown' })
    : new TrackerError('tracker_answer', `The tracker refused the request: ${message}`, { isBadRequest: true })
}

/** Whether the tracker asks a browser to sign in, with a redirect or with a page. */
function isSignIn({ status, location, json, text }: HttpResponse): boolean {
  if (status >= 300 && status < 400) return /\/login|\/sso|\/signin/i.test(location ?? '')
  const isPage = status >= 200 && status < 300 && json === undefined && /<html/i.test(text)
  return isPage && /sign in|log in|single sign-on/i.test(text)
}

/** `text` is what the tracker says about it, or empty. */
export function createTokenError(
  text: string,
  { address, hasToken, tokenAdvice }: TrackerAccess,
  hint: string,
): TrackerError {
  const reason = text === '' ? '' : ` It says: ${text}`
  const message = hasToken
    ? `The tracker ${address.label} does not accept the token: it is wrong, expired or revoked.${reason}`
    : `The tracker ${address.label} requires a token, and none is set.`
  return new TrackerError('tracker_token', message, { hint: tokenAdvice ?? hint })
}

export function createForbiddenError(text: string, hint: string): TrackerError {
  return new TrackerError('tracker_forbidden', `The tracker does not allow this: ${text}`, { hint })
}

/** `usualSeconds` is the pause that the tracker expects of clients if its response names none. */
export function createThrottledError(
  response: HttpResponse,
  usualSeconds?: number,
  effect: TrackerError['effect'] = 'none',
): TrackerError {
  const seconds = toRetrySeconds(response) ?? usualSeconds
  const when = seconds === undefined ? '' : ` It asks for a pause of ${seconds} s.`
  return new TrackerError('tracker_throttled', `The tracker limits the rate of requests.${when}`, {
    retryAfterSeconds: seconds,
    isTransient: true,
    effect,
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

export function createAddressHint({ address, addressForm, names }: TrackerAccess): string {
  return `Check the setting ${names.url}: ${address.base} must be ${addressForm}.`
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
