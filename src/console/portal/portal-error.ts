import { asStudioError, errorBody, withoutPlaces } from '../../kernel'
import { addressOf, isFromScript } from '../console-call'
import { describeError, isFromOtherSite } from '../error-page'
import { html } from '../html'
import { leadTo } from '../lead-to'
import type { PortalCall } from './portal-call'
import { requestForm } from './portal-sign-in'

/** An error as a page, or as JSON for the script of a form. Hints that name commands are for the staff of the site. */
export function portalErrorPage(call: PortalCall, error: unknown): Response | Promise<Response> {
  const { c, session } = call
  const known = withoutPlaces(asStudioError(error))
  const hint = typeof known.hint === 'string' ? known.hint : null
  const shown = known.copyWith({ hint })
  const { status, isAboutCredentials, report, ...described } = describeError(call, shown)
  const title = isAboutCredentials && session !== null ? 'Not allowed' : described.title
  if (isFromScript(call)) return c.json(errorBody(shown, c.env.call.requestId), status as 400)
  // Browsers send no strict cookie with the first request that a link elsewhere leads to.
  if (status === 401 && isFromOtherSite(call)) return leadTo(call, addressOf(call))
  const body = html`<h1>${title}</h1>
${report}
${hint === null ? '' : html`<p>${hint}</p>`}
${session === null ? requestForm(call) : html`<p><a href="/portal">Your appointments</a></p>`}`
  return call.page({ title, body }, status)
}
