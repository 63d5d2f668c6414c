import type { IncomingMessage } from 'node:http'
import {
  asStudioError,
  dockKeyHint,
  errorBody,
  httpStatusOf,
  retryAfterOf,
  StudioError,
  withoutPlaces,
  withPlainHint,
} from '../../kernel'
import type { AppContext } from '../app-env'
import type { Call } from '../call'
import { formatRequest } from '../route-table'

/** An error as the response of a route. */
export async function errorResponse(c: AppContext, error: unknown): Promise<Response> {
  const { call, incoming } = c.env
  const known = addTrustReason(asStudioError(error), c)
  const { status, headers, body } = await describeError(known, describeRequest(call, incoming))
  call.code = known.code
  return c.body(body, status as 400, headers)
}

/** An unusable database file is no mistake of the caller: the same request can succeed when the file is back. */
export function toDatabaseUnavailable(error: unknown, file: string): unknown {
  if (!(error instanceof StudioError) || error.code !== 'invalid') return error
  if (!error.places.some(({ text }) => text.startsWith(file))) return error
  const { hint, places, cause } = error
  return new StudioError('unavailable', `The database cannot be used: ${error.message}`, { hint, places, cause })
}

/**
 * Tells a caller without a credential why it does not count as local: it may be a header that the caller can leave out. The dock API
 * trusts no caller for where it calls from.
 */
function addTrustReason(error: StudioError, c: AppContext): StudioError {
  const { trust, caller, path } = c.env.call
  if (isDockPath(path) || error.code !== 'unauthenticated' || caller !== 'anonymous' || trust.verdict !== 'remote')
    return error
  return error.copyWith({ message: `${error.message} ${trust.reason}` })
}

/** What the description of an error depends on. */
interface ErrorRequest {
  requestId: string | null
  accept: string | undefined
  hasCredential: boolean
  path: string
}

export function describeRequest({ requestId, path }: Call, { headers }: IncomingMessage): ErrorRequest {
  return { requestId, path, accept: headers.accept, hasCredential: headers.authorization !== undefined }
}

/** The error body, or the same facts as RFC 9457 where the caller asks for `application/problem+json`. */
export async function describeError(error: StudioError, request: ErrorRequest) {
  const status = httpStatusOf(error.code)
  const isDockRefusal = status === 401 && isDockPath(request.path)
  const known = await withPlainHint(withoutPlaces(isDockRefusal ? addDockHint(error) : error), formatRequest)
  const body = errorBody(known, request.requestId)
  const isProblem = request.accept?.includes('application/problem+json') ?? false
  const headers: Record<string, string> = {
    'Content-Type': isProblem ? 'application/problem+json' : 'application/json',
  }
  // RFC 6750, 3.1: a caller without a credential learns only that one is needed.
  if (isDockRefusal) headers['WWW-Authenticate'] = DOCK_CHALLENGE
  else if (status === 401)
    headers['WWW-Authenticate'] = `Bearer realm="studio"${request.hasCredential ? ', error="invalid_token"' : ''}`
  const retryAfter = retryAfterOf(known)
  if (retryAfter !== null) headers['Retry-After'] = String(retryAfter)
  if (!isProblem) return { status, headers, body: JSON.stringify(body) }
  const { message, status: _, ...facts } = body
  const problem = { type: 'about:blank', title: known.code, status, detail: message, ...facts }
  return { status, headers, body: JSON.stringify(problem) }
}

/** No bearer token opens the dock API. */
export const DOCK_CHALLENGE = 'ApiKey realm="studio docks", header="X-API-Key"'

export function isDockPath(path: string): boolean {
  return /^\/api\/(?:appointments|facilities)(?:\/|$)/.test(path)
}

/** Every 401 of the dock API names the header that it needs, even where another credential was refused. */
function addDockHint(error: StudioError): StudioError {
  const names = `${error.message} ${JSON.stringify(error.hint)}`
  return names.includes('X-API-Key') ? error : error.copyWith({ hint: dockKeyHint })
}
