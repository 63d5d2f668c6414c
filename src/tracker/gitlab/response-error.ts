import * as z from 'zod'
import { TOO_LARGE_CODE, UNKNOWN_FIELDS_CODE } from '../services/requests/graphql-client'
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

const ErrorBody = z.object({
  /** Of the REST API: a text, or the messages of each field. */
  message: z.unknown().optional(),
  error: z.string().optional().catch(undefined),
  error_description: z.string().optional().catch(undefined),
  errors: z
    .array(
      z.object({
        message: z.string().default(''),
        extensions: z
          .object({
            code: z.string().optional(),
            fieldName: z.string().optional(),
            typeName: z.string().optional(),
            argumentName: z.string().optional(),
          })
          .optional(),
      }),
    )
    .optional()
    .catch(undefined),
})
type ErrorBody = z.output<typeof ErrorBody>

/** GitLab limits the complexity of a query, its depth, its characters and its time. */
const TOO_LARGE = /max(?:imum)? (?:complexity|depth)|query (?:is )?too large|timed out|less complex query/i

/** The pause that GitLab asks for, in milliseconds; null if it asks for none. */
export function parsePause(header: (name: string) => string | null, now: number): number | null {
  const reset = Number(header('ratelimit-reset') ?? Number.NaN) * 1000
  const isUsedUp = header('ratelimit-remaining') === '0' && Number.isFinite(reset)
  return parseRetryAfter(header('retry-after'), now) ?? (isUsedUp ? Math.max(0, reset - now) : null)
}

/** Decides whether a response can be used, and if not, which error it means. GraphQL reports most errors under the status 200. */
export function classifyResponse(response: HttpResponse, access: TrackerAccess): TrackerError | null {
  const { status, location } = response
  const body = ErrorBody.safeParse(response.json).data
  const text = describe(body)
  const { token } = access.names
  const tokenHint = `Create an access token with the scope api, under User settings, Access tokens, and set ${token} to it.`
  if (status === 302 && /\/users\/sign_in/.test(location ?? '')) return createTokenError('', access, tokenHint)
  const isGone = status === 404 && body !== undefined
  if (isGone)
    return new TrackerError('not_found', `The tracker does not have this, or your token cannot read it: ${text}`)
  const forbiddenHint =
    body?.error === 'insufficient_scope'
      ? `Its token (${token}) needs the scope api.`
      : `The account of its token (${token}) needs the role Planner or Reporter in the project, or a higher one.`
  const rules = { text, api: 'GitLab API', tokenHint, forbiddenHint }
  if (status === 429) return createThrottledError(response)
  return classifyStatus(response, access, rules) ?? classifyErrors(body, text, forbiddenHint)
}

function describe(body: ErrorBody | undefined): string {
  const { message, error_description: description, error, errors } = body ?? {}
  const ofFields = message != null && typeof message !== 'string' ? JSON.stringify(message) : message
  return cleanText(String(ofFields ?? description ?? error ?? errors?.map((one) => one.message).join(' ') ?? ''))
}

function classifyErrors(body: ErrorBody | undefined, text: string, forbiddenHint: string): TrackerError | null {
  const { errors = [] } = body ?? {}
  if (errors.length === 0) return null
  const unknown = errors.flatMap(({ extensions: { code, fieldName, typeName, argumentName } = {} }) => {
    if (code === 'undefinedField') return fieldName ?? []
    return (code === 'undefinedType' ? typeName : code === 'argumentNotAccepted' ? argumentName : null) ?? []
  })
  if (unknown.length > 0)
    return new TrackerError('tracker_answer', `The tracker does not know this request: ${text}`, {
      trackerCode: `${UNKNOWN_FIELDS_CODE}${unknown.join(',')}`,
    })
  if (TOO_LARGE.test(text))
    return new TrackerError('tracker_answer', `The tracker could not answer the whole request: ${text}`, {
      trackerCode: TOO_LARGE_CODE,
      // A query that is too complex is not run. One that takes too long may have been.
      effect: /timed out/i.test(text) ? 'unknown' : 'none',
    })
  if (/insufficient|not authorized|forbidden/i.test(text)) return createForbiddenError(text, forbiddenHint)
  return new TrackerError('tracker_answer', `The tracker refused the request: ${text}`, { isBadRequest: true })
}
