import * as z from 'zod'
import { TOO_LARGE_CODE, UNKNOWN_FIELDS_CODE } from '../services/requests/graphql-client'
import type { HttpResponse } from '../services/requests/http-client'
import {
  classifyStatus,
  cleanText,
  createForbiddenError,
  createThrottledError,
  type TrackerAccess,
} from '../services/requests/response-errors'
import { TrackerError } from '../services/requests/tracker-error'
import type { SettingNames } from '../services/setting-names'

/** Without `Retry-After`, GitHub asks to wait for at least a minute after its secondary limit was exceeded. */
const SECONDARY_LIMIT_SECONDS = 60

const createTokenHint = ({ token }: SettingNames) =>
  `Create a token with read and write access to issues, under Settings, Developer settings, and set ${token} to it.`
const createForbiddenHint = ({ token }: SettingNames) =>
  `Its token (${token}) needs read and write access to issues. For a project board it also needs read and write access to projects.`

const ErrorBody = z.object({
  message: z.string().optional(),
  data: z.record(z.string(), z.unknown()).nullish().catch(null),
  errors: z
    .array(
      z.object({
        type: z.string().optional(),
        message: z.string().default(''),
        extensions: z.object({ code: z.string().optional(), fieldName: z.string().optional() }).optional(),
      }),
    )
    .optional(),
})
type ErrorBody = z.output<typeof ErrorBody>

/** Decides whether a response can be used, and if not, which error it means. GraphQL reports most errors under the status 200. */
export function classifyResponse(response: HttpResponse, access: TrackerAccess): TrackerError | null {
  const { status } = response
  const body = ErrorBody.safeParse(response.json).data ?? {}
  const text = cleanText(body.message ?? '')
  if (status === 429 || (status === 403 && (response.retryAfterMs !== null || /rate limit|abuse/i.test(text))))
    return createThrottledError(response, SECONDARY_LIMIT_SECONDS)
  const { names } = access
  const rules = {
    text,
    api: 'GitHub API',
    tokenHint: createTokenHint(names),
    forbiddenHint: createForbiddenHint(names),
  }
  return classifyStatus(response, access, rules) ?? classifyErrors(response, body, names)
}

/** An issue that does not exist is null in the data, and is no error of the query. */
function classifyErrors(response: HttpResponse, { data, errors: all = [] }: ErrorBody, names: SettingNames) {
  const errors = all.filter(({ type }) => type !== 'NOT_FOUND')
  const [first] = errors
  if (first === undefined) return null
  const unknown = errors.flatMap(({ extensions }) =>
    extensions?.code === 'undefinedField' && extensions.fieldName ? [extensions.fieldName] : [],
  )
  const text = cleanText(first.message)
  if (errors.some(({ type }) => type === 'RATE_LIMITED' || type === 'RATE_LIMIT')) {
    // The limit may be reached after some steps of a change.
    const hasData = Object.values(data ?? {}).some((value) => value !== null)
    return createThrottledError(response, SECONDARY_LIMIT_SECONDS, hasData ? 'unknown' : 'none')
  }
  if (unknown.length > 0)
    return new TrackerError('tracker_answer', `The tracker does not know this request: ${text}`, {
      trackerCode: `${UNKNOWN_FIELDS_CODE}${unknown.join(',')}`,
    })
  const unscoped = errors.find(({ type }) => type === 'INSUFFICIENT_SCOPES')
  if (unscoped) return createScopeError(cleanText(unscoped.message), names)
  if (errors.some(({ type }) => type === 'FORBIDDEN')) return createForbiddenError(text, createForbiddenHint(names))
  if (/RESOURCE_LIMITS|MAX_NODE_LIMIT/.test(first.type ?? '') || /may be the result of a timeout/i.test(text)) {
    const code = /timeout/i.test(text) ? 'tracker_timeout' : 'tracker_answer'
    return new TrackerError(code, `The tracker could not answer the whole request: ${text}`, {
      trackerCode: TOO_LARGE_CODE,
      effect: 'unknown',
    })
  }
  return new TrackerError('tracker_answer', `The tracker refused the request: ${text}`, {
    trackerCode: first.type ?? '',
  })
}

/** GitHub names the scopes of which the token needs one: `one of the following scopes: ['project']`. */
function createScopeError(text: string, names: SettingNames): TrackerError {
  if (!/'(?:read:)?project'/.test(text)) return createForbiddenError(text, createForbiddenHint(names))
  const hint =
    `Add the scope project to the token (${names.token}): a project board cannot be read or changed without it. ` +
    `To work without the board, remove the setting ${names.board}: then milestones are iterations, and points are labels.`
  return new TrackerError('tracker_forbidden', 'The token does not have the scope "project".', { hint })
}
