import { StudioError } from '../../kernel'
import { readForm, requireOwnForm } from '../forms/form'
import { type Html, html } from '../html'
import { EXPIRED_PORTAL_COOKIES, formatPortalCookie, readPortalCookie } from '../sign-in/session-cookie'
import { goTo } from '../sign-in/sign-in'
import { record, recordRefusal } from '../sign-in/sign-in-records'
import type { PortalCall, PortalHandler } from './portal-call'

/**
 * The page that a link leads to. It uses the link when its button is pressed, because mail servers open the links of a mail to check them. The
 * script of the page puts the secret, which is after `#`, into the field.
 */
export const portalSignInPage: PortalHandler = (call) =>
  call.page({
    title: 'Dock appointments',
    body: html`<h1>Dock appointments</h1>
<p>Here you see and book your own appointments. The link of your invitation opens them in this browser.</p>
<form class="card" data-fragment="credential" data-manual method="post" action="/portal/sign-in">
<input type="hidden" name="credential">
<p>A link works once. Do not open it on a computer that others use.</p>
<p class="error" role="alert"></p>
<button type="submit">Open my appointments</button>
</form>
<noscript><p>This page needs scripts to read the link.</p></noscript>
${requestForm(call)}`,
  })

/** Exchanges the secret of a link for a session. */
export const openPortal: PortalHandler = async (call) => {
  const { c, options } = call
  requireOwnForm(call)
  const { credential } = await readForm(call)
  if (typeof credential !== 'string' || credential === '')
    throw new StudioError('invalid', 'Open the link of your invitation, and press the button there.')
  const isSecure = c.req.header('origin')!.startsWith('https:')
  const replaces = readPortalCookie(c.env.incoming.headers, { isSecure })
  const secret = await recordRefusal(call, 'portal.sign-in', () =>
    options.portal.signIn(c.env.call, credential.trim(), { replaces }),
  )
  const session = await options.portal.findSession(c.env.call, secret, () => {})
  if (session) await record(call, 'portal.sign-in', { user: null, dock: session.dock })
  c.header('Set-Cookie', formatPortalCookie(secret, { isSecure }))
  return goTo(call, '/portal')
}

export const signOutOfPortal: PortalHandler = async (call) => {
  const { c, options, session } = call
  requireOwnForm(call)
  if (session !== null) {
    await options.portal.signOut(session.id)
    await record(call, 'portal.sign-out', c.env.call.credentials)
  }
  for (const cookie of EXPIRED_PORTAL_COOKIES) c.header('Set-Cookie', cookie, { append: true })
  return goTo(call, '/portal/sign-in')
}

const SENT_PAGE = '/portal/sign-in/mail'

/** Sends a link for each invitation of an address. Neither the answer nor its time shows whether there is one. */
export const requestPortalLink: PortalHandler = async (call) => {
  const { c, options } = call
  requireOwnForm(call)
  const { mailLinks, caller, log } = options
  if (mailLinks === null)
    throw new StudioError('not_found', 'This service sends no mails.', { hint: 'Ask the site for another invitation.' })
  const { email } = await readForm(call)
  const address = await caller.takeLinkRequest(c.env.call, email)
  if (address !== null)
    void mailLinks
      .sendToCarrier(address)
      .catch((cause) => log.error('a link to the portal could not be created', { cause }))
  return goTo(call, SENT_PAGE)
}

export const portalLinkSentPage: PortalHandler = (call) =>
  call.page({
    title: 'Check your mail',
    body: html`<h1>Check your mail</h1>
<p>If this address was invited, a mail with a link is on its way. The link works once, within 15 minutes.</p>
<p>If no mail arrives, ask the site for an invitation, or <a href="/portal/sign-in">try again</a>.</p>`,
  })

/** How to get another link. */
export function requestForm({ options }: Pick<PortalCall, 'options'>): Html {
  if (options.mailLinks === null) return html`<p>If your link does not work, ask the site for another invitation.</p>`
  return html`<form class="card" method="post" action="${SENT_PAGE}">
<p>You were invited by mail, and need another link?</p>
<label>E-mail address
<input type="email" name="email" required autocomplete="email"></label>
<p class="error" role="alert"></p>
<button type="submit">Send me a link</button>
</form>`
}
