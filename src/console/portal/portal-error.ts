import { asStudioError, errorBody, withoutPlaces } from '../../kernel'
import { addressOf, isFromScript } from '../console-call'
import { describeError, isFromOtherSite } from '../error-page'
import { withoutCalls } from '../errors/browser-hint'
import { retryForm, slotButtons } from '../errors/slot-buttons'
import { html } from '../html'
import { leadTo } from '../lead-to'
import type { PortalCall } from './portal-call'
import { requestForm } from './portal-sign-in'

/** An error as a page, or as JSON for the script of a form. */
export function portalErrorPage(call: PortalCall, error: unknown): Response | Promise<Response> {
  const { c, session } = call
  const shown = withoutCalls(withoutPlaces(asStudioError(error)))
  const { status, isAboutCredentials, report, ...described } = describeError(call, shown)
  const title = isAboutCredentials && session !== null ? 'Not allowed' : described.title
  const offers = call.form ? slotButtons(call.form, shown) : null
  if (isFromScript(call)) {
    const sent = offers && { offers: String(offers) }
    return c.json({ ...errorBody(shown, c.env.call.requestId), ...sent }, status as 400)
  }
  // Browsers send no strict cookie with the first request that a link elsewhere leads to.
  if (status === 401 && isFromOtherSite(call)) return leadTo(call, addressOf(call))
  const body = html`<h1>${title}</h1>
${report}
${shown.hint === null ? '' : html`<p>${shown.hint as string}</p>`}
${offers === null ? '' : retryForm(call.form!, offers)}
${session === null ? requestForm(call) : html`<p><a href="/portal">Your appointments</a></p>`}`
  return call.page({ title, body }, status)
}
