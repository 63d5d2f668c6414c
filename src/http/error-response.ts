import type { Context } from 'hono'
import { asStudioError } from '../kernel'
import type { AppEnv } from './app'
import { isDockPath } from './dock-challenge'
import { errorAnswer } from './error-answer'

/** What is told of an error, as the answer of a route. */
export async function errorResponse(c: Context<AppEnv>, error: unknown): Promise<Response> {
  const { code, status, headers, body } = await errorAnswer(withReason(error, c), {
    requestId: c.env.call.requestId,
    accept: c.req.header('accept'),
    sentBearer: c.req.header('authorization') !== undefined,
    path: c.env.call.path,
  })
  c.env.call.code = code
  return c.body(body, status as 400, headers)
}

/** Of the dock API no caller is trusted for where it calls from. Of the rest: a caller who brings no credential is told why it counts as one from elsewhere: it may be a header that a change would mend. */
function withReason(error: unknown, c: Context<AppEnv>): unknown {
  const { trust, caller } = c.env.call
  const known = asStudioError(error)
  if (isDockPath(c.env.call.path)) return error
  if (known.code !== 'unauthenticated' || caller !== 'nobody' || trust.verdict !== 'remote') return error
  return known.copyWith({ message: `${known.message} ${trust.reason}` })
}
