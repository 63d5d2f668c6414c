import * as z from 'zod'
import type { HttpResponse } from '../services/requests/http-client'
import { classifyStatus, cleanText, createTokenError, type TrackerAccess } from '../services/requests/response-errors'
import { TrackerError } from '../services/requests/tracker-error'
import type { SettingNames } from '../services/setting-names'

/** The tracker code of values that Jira rejects. */
export const REJECTED_CODE = 'rejected'

const createTokenHint = ({ token, account }: SettingNames) =>
  `Jira Cloud: create an API token at id.atlassian.com, and set ${token} to it and ${account} to your e-mail address. ` +
  `Jira Data Center: create a personal access token in your profile, and set ${token} alone.`

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
  if (isCaptcha(response)) return createCaptchaError(access)
  if (response.isForAnonymous && access.hasToken)
    return createTokenError(status === 401 ? text : '', access, createTokenHint(access.names))
  if (status === 404 && body !== undefined)
    return new TrackerError('not_found', `The tracker did not find this: ${text}`)
  if (status === 400 || status === 409 || status === 422) {
    return new TrackerError('tracker_answer', `The tracker refused the request: ${text || `HTTP ${status}.`}`, {
      trackerCode: REJECTED_CODE,
      isBadRequest: true,
    })
  }
  return classifyStatus(response, access, {
    text,
    api: 'Jira API',
    tokenHint: createTokenHint(access.names),
    forbiddenHint: `The account of the token (${access.names.token}) needs the permission in the project.`,
  })
}

/** After failed sign-ins, Jira refuses those of programs until the account has signed in with a browser. */
function isCaptcha({ status, text, header }: HttpResponse): boolean {
  const isRefused = status === 401 || status === 403
  return isRefused && (/captcha/i.test(header('x-authentication-denied-reason') ?? '') || /captcha/i.test(text))
}

function createCaptchaError({ address, names }: TrackerAccess): TrackerError {
  const message = `Jira asks the account for a CAPTCHA, because sign-ins with it have failed, and answers no program until then.`
  return new TrackerError('tracker_token', message, {
    hint: `Sign in once at ${address.base} in a browser, as the account of ${names.token}. Then call this again.`,
  })
}

/** What Jira says about each field of a change that it rejected. */
export function listFieldErrors(json: unknown): { referenceName: string; message: string }[] {
  const errors = ErrorBody.safeParse(json).data?.errors ?? {}
  return Object.entries(errors).map(([referenceName, text]) => ({ referenceName, message: cleanText(String(text)) }))
}

function describeErrors(body: z.output<typeof ErrorBody> | undefined): string {
  const named = Object.entries(body?.errors ?? {}).map(([field, text]) => `${field}: ${String(text)}`)
  return cleanText([...(body?.errorMessages ?? []), ...named, body?.message ?? ''].filter(Boolean).join(' '))
}
