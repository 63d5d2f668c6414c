import { isRecord } from '../../kernel/json'
import type { HttpResponse } from '../services/requests/http-client'
import {
  cleanText,
  createAddressHint,
  createForbiddenError,
  createNotJsonError,
  createRedirectError,
  createThrottledError,
  createTokenError,
  createUnavailableError,
  type TrackerAccess,
} from '../services/requests/response-errors'
import { TrackerError } from '../services/requests/tracker-error'
import { parseText } from './field-values'

/** Decides whether a response can be used, and if not, which error it means. */
export function classifyResponse(response: HttpResponse, access: TrackerAccess): TrackerError | null {
  const body = parseErrorBody(response.json)
  if (isTokenRejected(response, body)) return createTokenError(body.text, access, createTokenHint(access))
  if (response.status === 429 || body.code === 'TF400733') return createThrottledError(response)
  // Nothing to say, as after a deletion.
  if (response.status === 204) return null
  if (response.status >= 200 && response.status < 300)
    return response.json === undefined ? createNotJsonError(response, access) : null
  if (response.status >= 300 && response.status < 400) return createRedirectError(response, access)
  return createStatusError(response, body, access)
}

/** A bad or expired token shows as 401, as an access check, as a redirect to a sign-in page, or as that page under 203 or 200. */
function isTokenRejected(response: HttpResponse, body: ErrorBody): boolean {
  const { status, json } = response
  if (status === 401 || body.code === 'TF400813') return true
  if (body.typeKey === 'AccessCheckException') return status !== 403 || /token/i.test(body.text)
  if (status >= 300 && status < 400) return /_signin|\/login|\/oauth2\//i.test(response.location ?? '')
  const isPage = status >= 200 && status < 300 && json === undefined
  return isPage && (status === 203 || /_signin|sign[ -]?in/i.test(response.text))
}

export function createTokenHint({ address, hasToken, names }: TrackerAccess): string {
  const token = `${hasToken ? 'new ' : ''}personal access token with the scope Work Items (read & write)`
  return `Create a ${token} at ${address.base}/_usersSettings/tokens and set ${names.token} to it.`
}

function createStatusError(response: HttpResponse, body: ErrorBody, access: TrackerAccess): TrackerError {
  const { status } = response
  const { names } = access
  const text = body.text === '' ? `HTTP ${status}.` : body.text
  if (body.code === 'TF200016' || body.typeKey.startsWith('ProjectDoesNotExist')) {
    return new TrackerError('invalid', text, { hint: `Set ${names.project} to the name of a project there.` })
  }
  if (body.code === 'VS402335') return new TrackerError('tracker_timeout', text)
  if (status === 403) {
    const hint = `Its token (${names.token}) needs the scope Work Items (read & write), and its owner the right.`
    return createForbiddenError(text, hint)
  }
  if (status === 404 && response.json !== undefined) return new TrackerError('not_found', text)
  const hint = createAddressHint(access)
  if (status === 404)
    return new TrackerError('tracker_answer', `There is no tracker at ${access.address.base}.`, { hint })
  if ([502, 503, 504].includes(status)) return createUnavailableError(response, text, access)
  if (status >= 500) {
    return new TrackerError('tracker_answer', `The tracker failed on the request: ${text}`, { effect: 'unknown' })
  }
  return new TrackerError('tracker_answer', `The tracker refused the request: ${text}`, {
    trackerCode: body.code,
    isBadRequest: true,
  })
}

/** The error body of the tracker, from any of its formats. */
export interface ErrorBody {
  /** For display: one line, no control characters, the tracker's code at the end. Empty if there is no message. */
  text: string
  /** The type of the error, `RuleValidationException`; empty if the body has none. */
  typeKey: string
  /** `TF401232`, `VS403351`; empty if there is none. */
  code: string
  /** What a rule says about each field that it rejects. */
  fields: { referenceName: string; message: string }[]
}

/**
 * Parses `{message, typeKey}`, `{Message}` and the `{count, value: {Message}}` of a batch entry.
 * A rule error lists every field that it rejects in `customProperties`; the text includes all of them.
 */
export function parseErrorBody(body: unknown): ErrorBody {
  const outer = asRecord(body)
  const inner = asRecord(outer['value'])
  const raw =
    parseText(outer['message']) ||
    parseText(outer['Message']) ||
    parseText(inner['Message']) ||
    parseText(inner['message'])
  const [typeName = ''] = parseText(outer['typeName']).split(',')
  const typeKey = parseText(outer['typeKey']) || (typeName.split('.').at(-1) ?? '')
  const errors = asRecord(outer['customProperties'])['RuleValidationErrors']
  const rules = listRuleMessages(errors)
  const [, code = '', rest = raw] = /^\s*((?:TF|VS)\d+):\s*([\s\S]*)$/.exec(raw) ?? []
  const text = cleanText(rules.length > 1 ? rules.join(' ') : rest)
  return { text: code && text ? `${text} (${code})` : text, typeKey, code, fields: listRuleFields(errors) }
}

function listRuleFields(errors: unknown): ErrorBody['fields'] {
  if (!Array.isArray(errors)) return []
  return errors.map(asRecord).flatMap(({ fieldReferenceName: name, errorMessage }) => {
    const referenceName = parseText(name)
    return referenceName === '' ? [] : [{ referenceName, message: cleanText(parseText(errorMessage)) }]
  })
}

/** What the rules of the process say about each field of a change; `isMissing` if the field needs a value. */
export function parseRuleErrors(body: unknown): { referenceName: string; isMissing: boolean }[] {
  const errors = asRecord(asRecord(body)['customProperties'])['RuleValidationErrors']
  if (!Array.isArray(errors)) return []
  return errors.map(asRecord).flatMap(({ fieldReferenceName: name, fieldStatusFlags: flags }) => {
    const referenceName = parseText(name)
    const isMissing = parseText(flags).toLowerCase().includes('invalidempty')
    return referenceName === '' ? [] : [{ referenceName, isMissing }]
  })
}

function listRuleMessages(errors: unknown): string[] {
  if (!Array.isArray(errors)) return []
  return errors.map((error) => parseText(asRecord(error)['errorMessage'])).filter((message) => message !== '')
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
