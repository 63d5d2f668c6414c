import * as z from 'zod'
import { TOO_LARGE_CODE } from '../services/requests/graphql-client'
import type { HttpResponse } from '../services/requests/http-client'
import { parseRetryAfter } from '../services/requests/rate-limiter'
import {
  classifyStatus,
  cleanText,
  createForbiddenError,
  createThrottledError,
  createTokenError,
  type TrackerAccess,
} from '../services/requests/response-errors'
import { TrackerError } from '../services/requests/tracker-error'

/** The tracker code of an error that concerns the values of a request, and not its sender. */
export const VALUES_CODE = 'values'

/** Without a time in its headers, the limits of Linear are for an hour and refill steadily. */
const USUAL_PAUSE_SECONDS = 60

const ErrorBody = z.object({
  data: z.record(z.string(), z.unknown()).nullish().catch(null),
  errors: z.array(
    z.object({
      message: z.string().catch(''),
      path: z.array(z.unknown()).catch([]),
      extensions: z
        .object({
          type: z.string().catch(''),
          code: z.string().catch(''),
          userPresentableMessage: z.string().optional().catch(undefined),
        })
        .catch({ type: '', code: '', userPresentableMessage: undefined }),
    }),
  ),
})

/** Decides whether a response can be used, and if not, which error it means. Linear reports errors in the body, under the status 200 or 400. */
export function classifyResponse(response: HttpResponse, access: TrackerAccess): TrackerError | null {
  const { names } = access
  const tokenHint = `Create an API key in Linear under Settings, Security & access, and set ${names.token} to it.`
  const forbiddenHint = `The API key (${names.token}) needs the permissions Read and Write, and access to the team.`
  const body = ErrorBody.safeParse(response.json).data
  const [first] = body?.errors ?? []
  if (!body || !first)
    return classifyStatus(response, access, { text: '', api: 'Linear API', tokenHint, forbiddenHint })
  const { data, errors } = body
  const text = errors
    .map(({ message, extensions }) => cleanText(extensions.userPresentableMessage || message))
    .join(' ')
  // An error deep in an answer concerns only a part of it. The others are valid.
  if (data && errors.every(({ path }) => path.length > 1) && Object.values(data).every((value) => value != null))
    return null
  // The same kind is written as `ratelimited`, `RATELIMITED` and `invalid input`.
  const kinds = errors.map(({ extensions }) => `${extensions.type} ${extensions.code}`.toLowerCase().replace(/_/g, ' '))
  const is = (pattern: RegExp) => kinds.some((kind) => pattern.test(kind))
  if (is(/ratelimited|rate limited/) || response.status === 429)
    return createThrottledError(response, USUAL_PAUSE_SECONDS)
  if (is(/authentication/) || response.status === 401) return createTokenError(text, access, tokenHint)
  if (is(/forbidden|feature not accessible/) || response.status === 403)
    return createForbiddenError(text, forbiddenHint)
  if (/\bcomplex/i.test(first.message))
    return new TrackerError('tracker_answer', `The tracker refused the size of the request: ${text}`, {
      trackerCode: TOO_LARGE_CODE,
    })
  if (/^entity not found/i.test(first.message)) return new TrackerError('not_found', text, { trackerCode: VALUES_CODE })
  if (is(/internal|lock timeout|network/) || response.status >= 500)
    return new TrackerError('tracker_answer', `The tracker failed on the request: ${text}`, {
      isTransient: true,
      effect: 'unknown',
    })
  return new TrackerError('tracker_answer', `The tracker refused the request: ${text}`, {
    trackerCode: VALUES_CODE,
    isBadRequest: true,
  })
}

const LIMITS = ['x-ratelimit-requests', 'x-ratelimit-complexity', 'x-ratelimit-endpoint-requests']

/** How long nothing is left of a limit, in milliseconds. Linear gives the time of its end in milliseconds since 1970. */
export function parsePause(header: (name: string) => string | null, now: number): number | null {
  const pauses = LIMITS.flatMap((limit) => {
    const left = header(`${limit}-remaining`)
    const reset = Number(header(`${limit}-reset`) ?? Number.NaN)
    return left !== null && Number(left) <= 0 && Number.isFinite(reset) ? [Math.max(0, reset - now)] : []
  })
  return parseRetryAfter(header('retry-after'), now) ?? (pauses.length > 0 ? Math.max(...pauses) : null)
}
