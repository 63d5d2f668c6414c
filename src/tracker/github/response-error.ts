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
        path: z
          .array(z.union([z.string(), z.number()]))
          .optional()
          .catch(undefined),
        extensions: z
          .object({ code: z.string().optional(), fieldName: z.string().optional(), typeName: z.string().optional() })
          .optional(),
      }),
    )
    .optional(),
})
type ErrorBody = z.output<typeof ErrorBody>

/** Decides whether a response can be used, and if not, which error it means. GraphQL reports most errors under the status 200. */
export function classifyResponse(response: HttpResponse, access: TrackerAccess): TrackerError | null {
  const { status } = response
  const body = ErrorBody.safeParse(response.json).data ?? {}
  const text = cleanText(body.message ?? body.errors?.[0]?.message ?? '')
  if (status === 429 || (status === 403 && (response.retryAfterMs !== null || /rate limit|abuse/i.test(text))))
    return createThrottledError(response, SECONDARY_LIMIT_SECONDS)
  // A smaller query may be answered.
  if (status === 504 || (status === 502 && isTimeout(text)))
    return createTooLargeError('tracker_timeout', text || 'HTTP 504.')
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
  const unknown = errors.flatMap(({ extensions: { code, fieldName, typeName } = {} }) => {
    const name = code === 'undefinedField' ? fieldName : code === 'undefinedType' ? typeName : undefined
    return name ? [name] : []
  })
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
  // A token without the right to read the fields of the organization is used without them.
  const [, optional] =
    errors
      .map(({ message }) => /^.{0,200}The '(issueFields|issueFieldValues)' field requires/.exec(message))
      .find(Boolean) ?? []
  if (optional !== undefined)
    return new TrackerError('tracker_forbidden', `The tracker does not allow this: ${text}`, {
      trackerCode: `${UNKNOWN_FIELDS_CODE}${optional}`,
    })
  const unscoped = errors.find(({ type }) => type === 'INSUFFICIENT_SCOPES')
  if (unscoped) return createScopeError(cleanText(unscoped.message), names)
  if (errors.every((error) => isOfPart(error, data))) return null
  if (errors.some(({ type }) => type === 'FORBIDDEN')) return createForbiddenError(text, createForbiddenHint(names))
  if (/RESOURCE_LIMITS|MAX_NODE_LIMIT/.test(first.type ?? '') || isTimeout(text))
    return createTooLargeError(isTimeout(text) ? 'tracker_timeout' : 'tracker_answer', text)
  return new TrackerError('tracker_answer', `The tracker refused the request: ${text}`, {
    trackerCode: first.type ?? '',
    isBadRequest: true,
  })
}

/**
 * Whether an error concerns only a part of an answer, such as a link to an issue of an organization that requires another sign-in. The other
 * parts are valid. An issue that was asked for alone is the whole answer.
 */
function isOfPart(
  { type, path = [] }: { type?: string | undefined; path?: (string | number)[] | undefined },
  data: ErrorBody['data'],
) {
  const [root, name] = path
  if (type !== 'FORBIDDEN' || data?.[String(root)] == null) return false
  return root === 'repository' ? path.length > 2 || /^i\d+$/.test(String(name)) : root === 'search' && path.length > 1
}

/** GitHub says: "This may be the result of a timeout", or "We couldn't respond to your request in time". */
function isTimeout(text: string): boolean {
  return /result of a timeout|request in time|timed? ?out/i.test(text)
}

function createTooLargeError(code: 'tracker_timeout' | 'tracker_answer', text: string): TrackerError {
  return new TrackerError(code, `The tracker could not answer the whole request: ${text}`, {
    trackerCode: TOO_LARGE_CODE,
    effect: 'unknown',
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
