import type { HttpResponse } from '../services/http-message'
import type { TrackerAddress } from '../services/tracker-address'
import { TrackerError } from '../services/tracker-error'
import { type ErrorBody, parseErrorBody } from './error-body'

export interface TrackerAccess {
  address: TrackerAddress
  hasToken: boolean
  /** Why a token that is set is not sent, and what to do about it. */
  withheldToken?: { reason: string; hint: string } | null
}

/** The one place which decides whether an answer can be used, and if not, what its caller is told. */
export function classifyResponse(answer: HttpResponse, access: TrackerAccess): TrackerError | null {
  const said = parseErrorBody(answer.json)
  if (isTokenRejected(answer, said)) return createTokenError(said, access)
  if (isThrottled(answer, said)) return createThrottledError(answer)
  if (answer.status >= 200 && answer.status < 300)
    return answer.json === undefined ? createNotJsonError(answer, access) : null
  if (answer.status >= 300 && answer.status < 400) return createRedirectError(answer, access)
  return createStatusError(answer, said, access)
}

/** A bad or expired token has many faces: a sign-in page under 203 or 200, a redirect to one, 401, an access check. */
function isTokenRejected(answer: HttpResponse, said: ErrorBody): boolean {
  const { status, json } = answer
  if (status === 401 || said.code === 'TF400813') return true
  if (said.typeKey === 'AccessCheckException') return status !== 403 || /token/i.test(said.text)
  if (status >= 300 && status < 400) return /_signin|\/login|\/oauth2\//i.test(answer.location ?? '')
  const isPage = status >= 200 && status < 300 && json === undefined
  return isPage && (status === 203 || /_signin|sign[ -]?in/i.test(answer.text))
}

function createTokenError(
  said: ErrorBody,
  { address, hasToken, withheldToken: whyNoToken }: TrackerAccess,
): TrackerError {
  const scope = 'with the scope Work Items (read & write)'
  const page = `${address.base}/_usersSettings/tokens`
  if (whyNoToken) {
    const message = `The tracker ${address.label} wants a token. ${whyNoToken.reason}`
    return new TrackerError('tracker_token', message, { hint: whyNoToken.hint })
  }
  if (!hasToken) {
    return new TrackerError('tracker_token', `The tracker ${address.label} wants a token, and none is set.`, {
      hint: `Make a personal access token ${scope} at ${page} and set STUDIO_TRACKER_TOKEN to it.`,
    })
  }
  const reason = said.text === '' ? '' : ` It says: ${said.text}`
  return new TrackerError(
    'tracker_token',
    `The tracker ${address.label} does not accept the token: it is wrong, expired or revoked.${reason}`,
    { hint: `Make a new personal access token ${scope} at ${page} and set STUDIO_TRACKER_TOKEN to it.` },
  )
}

function isThrottled(answer: HttpResponse, said: ErrorBody): boolean {
  return answer.status === 429 || said.code === 'TF400733'
}

function createThrottledError(answer: HttpResponse): TrackerError {
  const seconds = toRetrySeconds(answer)
  const when = seconds === undefined ? '' : ` It wants a pause of ${seconds} s.`
  return new TrackerError('tracker_throttled', `The tracker limits how much may be asked of it.${when}`, {
    retryAfterSeconds: seconds,
    isTransient: true,
  })
}

function createNotJsonError(answer: HttpResponse, asked: TrackerAccess): TrackerError {
  const claimsJson = /json/i.test(answer.contentType)
  const what = claimsJson ? 'JSON that breaks off or is not valid' : `not JSON (${answer.contentType || 'no type'})`
  return new TrackerError('tracker_answer', `The tracker ${asked.address.label} answered ${what}.`, {
    hint: createAddressHint(asked),
    isTransient: claimsJson,
    effect: 'unknown',
  })
}

function createRedirectError(answer: HttpResponse, asked: TrackerAccess): TrackerError {
  const target = answer.location !== null && URL.canParse(answer.location) ? new URL(answer.location).host : 'elsewhere'
  const message = `The tracker ${asked.address.label} redirects to ${target}; redirects are not followed.`
  return new TrackerError('tracker_answer', message, { hint: createAddressHint(asked) })
}

function createStatusError(answer: HttpResponse, said: ErrorBody, asked: TrackerAccess): TrackerError {
  const { status } = answer
  const text = said.text === '' ? `HTTP ${status}.` : said.text
  const projectUnknown = said.code === 'TF200016' || said.typeKey.startsWith('ProjectDoesNotExist')
  if (projectUnknown) {
    return new TrackerError('invalid', text, { hint: 'Set STUDIO_TRACKER_PROJECT to the name of a project there.' })
  }
  if (said.code === 'VS402335') return new TrackerError('tracker_timeout', text)
  if (status === 403) {
    return new TrackerError('tracker_forbidden', `The tracker does not allow it: ${text}`, {
      hint: 'Its token (STUDIO_TRACKER_TOKEN) needs the scope Work Items (read & write), and its owner the right.',
    })
  }
  if (status === 404 && answer.json !== undefined) return new TrackerError('not_found', text)
  if (status === 404) {
    return new TrackerError('tracker_answer', `There is no tracker at ${asked.address.base}.`, {
      hint: createAddressHint(asked),
    })
  }
  if ([502, 503, 504].includes(status)) {
    const code = status === 504 ? 'tracker_timeout' : 'tracker_unavailable'
    return new TrackerError(code, `The tracker ${asked.address.label} is not available now: ${text}`, {
      hint: createAddressHint(asked),
      retryAfterSeconds: toRetrySeconds(answer),
      isTransient: true,
      effect: 'unknown',
    })
  }
  if (status >= 500) {
    return new TrackerError('tracker_answer', `The tracker failed on the request: ${text}`, { effect: 'unknown' })
  }
  return new TrackerError('tracker_answer', `The tracker refused the request: ${text}`, { trackerCode: said.code })
}

function createAddressHint({ address }: TrackerAccess): string {
  return `Asked: ${address.base}. Is that the tracker's address with its organization? It is the setting STUDIO_TRACKER_URL.`
}

function toRetrySeconds(answer: HttpResponse): number | undefined {
  return answer.retryAfterMs === null ? undefined : Math.ceil(answer.retryAfterMs / 1000)
}
