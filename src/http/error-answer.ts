import { asStudioError, type ErrorCode, errorBody, httpStatusOf, withoutPlaces, withPlainHint } from '../kernel'
import { DOCK_CHALLENGE, isDockPath, withDockHeader } from './dock-challenge'
import { formatRequest } from './format-request'

/** What is told of an error, before it is known by which means. */
export interface ErrorAnswer {
  code: ErrorCode
  status: number
  headers: Record<string, string>
  body: string
}

/** The error body, or the same facts as RFC 9457 where the caller asks for `application/problem+json`. */
export async function errorAnswer(
  error: unknown,
  asked: { requestId: string | null; accept: string | undefined; sentBearer: boolean; path: string },
): Promise<ErrorAnswer> {
  const told = withoutPlaces(asStudioError(error))
  const status = httpStatusOf(told.code)
  const isDockRefusal = status === 401 && isDockPath(asked.path)
  const known = await withPlainHint(isDockRefusal ? withDockHeader(told) : told, formatRequest)
  const body = errorBody(known, asked.requestId)
  const isProblem = asked.accept?.includes('application/problem+json') ?? false
  const headers: Record<string, string> = {
    'Content-Type': isProblem ? 'application/problem+json' : 'application/json',
  }
  // RFC 6750, 3.1: a caller without a credential is told only that one is needed.
  if (isDockRefusal) headers['WWW-Authenticate'] = DOCK_CHALLENGE
  else if (status === 401)
    headers['WWW-Authenticate'] = `Bearer realm="studio"${asked.sentBearer ? ', error="invalid_token"' : ''}`
  if (known.retryAfterSeconds !== null) headers['Retry-After'] = String(Math.ceil(known.retryAfterSeconds))
  if (!isProblem) return { code: known.code, status, headers, body: JSON.stringify(body) }
  const { message, status: _, ...facts } = body
  const problem = { type: 'about:blank', title: known.code, status, detail: message, ...facts }
  return { code: known.code, status, headers, body: JSON.stringify(problem) }
}
