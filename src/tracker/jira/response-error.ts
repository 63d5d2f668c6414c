import * as z from 'zod'
import type { HttpResponse } from '../services/http-client'
import { classifyStatus, cleanText, createTokenError, type TrackerAccess } from '../services/response-errors'
import { TrackerError } from '../services/tracker-error'

/** The tracker code of values that Jira rejects. */
export const REJECTED_CODE = 'rejected'

const TOKEN_HINT =
  'Jira Cloud: create an API token at id.atlassian.com, and set STUDIO_TRACKER_TOKEN to it and STUDIO_TRACKER_ACCOUNT to your e-mail address. ' +
  'Jira Data Center: create a personal access token in your profile, and set STUDIO_TRACKER_TOKEN alone.'
const FORBIDDEN_HINT = 'The account of the token (STUDIO_TRACKER_TOKEN) needs the permission in the project.'

const ErrorBody = z.object({
  errorMessages: z.array(z.string()).optional(),
  errors: z.record(z.string(), z.unknown()).optional(),
  message: z.string().optional(),
})

/** Decides whether a response can be used, and if not, which error it means. */
export function classifyResponse(response: HttpResponse, access: TrackerAccess): TrackerError | null {
  const { status } = response
  // A change is confirmed without a body.
  if (status === 204 || (status === 201 && response.text === '')) return null
  const body = ErrorBody.safeParse(response.json).data
  const text = describeErrors(body)
  if (status === 403 && /captcha/i.test(response.text)) {
    const reason = 'Jira wants a CAPTCHA after failed attempts. Sign in with a browser first.'
    return createTokenError(reason, access, TOKEN_HINT)
  }
  if (status === 404 && body !== undefined)
    return new TrackerError('not_found', `The tracker did not find this: ${text}`)
  if (status === 400 || status === 409 || status === 422) {
    return new TrackerError('tracker_answer', `The tracker refused the request: ${text || `HTTP ${status}.`}`, {
      trackerCode: REJECTED_CODE,
    })
  }
  return classifyStatus(response, access, {
    text,
    api: 'Jira API',
    tokenHint: TOKEN_HINT,
    forbiddenHint: FORBIDDEN_HINT,
  })
}

function describeErrors(body: z.output<typeof ErrorBody> | undefined): string {
  const named = Object.entries(body?.errors ?? {}).map(([field, text]) => `${field}: ${String(text)}`)
  return cleanText([...(body?.errorMessages ?? []), ...named, body?.message ?? ''].filter(Boolean).join(' '))
}
