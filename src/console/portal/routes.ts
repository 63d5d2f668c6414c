import type { PortalSession } from '../../access'
import { loadOperation } from '../../catalog'
import { MAX_ATTACHMENT_BODY_BYTES } from '../../docks'
import { PageTurn } from '../../http/answers/answer-turns'
import { type AppContext, type AppRoute, PUBLIC_BODY_BYTES } from '../../http/app-env'
import type { AppOptions } from '../../http/app-options'
import { StudioError } from '../../kernel'
import { actionNotice } from '../actions/load-actions'
import { sendAttachment } from '../attachment-file'
import { createBrowserRoutes, type OnRefused } from '../browser-routes'
import { createCallOpener, runOpened } from '../call-opener'
import { html } from '../html'
import { PAGE_HEADERS } from '../layout'
import { isAtSecureAddress } from '../sign-in/provider-sign-in'
import { EXPIRED_PORTAL_COOKIES, readPortalCookie } from '../sign-in/session-cookie'
import type { PortalCall, PortalHandler, PortalPage } from './portal-call'
import { portalErrorPage } from './portal-error'
import { renderPortalPage } from './portal-layout'
import { openPortal, portalLinkSentPage, portalSignInPage, requestPortalLink, signOutOfPortal } from './portal-sign-in'

/** The pages by their paths. Each is loaded when it is first shown. */
const pages: Record<string, () => Promise<PortalPage>> = {
  '/portal': async () => (await import('./portal-home')).portalHomePage,
  '/portal/facilities/:id': async () => (await import('./portal-facility')).freeSlotsPage,
  '/portal/facilities/:id/book': async () => (await import('./portal-facility')).portalBookPage,
  '/portal/facilities/:id/waitlist': async () => (await import('./portal-facility')).joinWaitlistPage,
  '/portal/appointments/:id': async () => (await import('./portal-appointment')).portalAppointmentPage,
}

/** Loaded with the first form that is sent, and not before a service listens. */
const runPortalAction: PortalHandler = async (call) => (await import('./portal-actions')).runPortalAction(call)

/** The portal, in which carriers that were invited book their own appointments. It has nothing in common with a session of the console. */
export function portalRoutes(options: AppOptions, refused: OnRefused): AppRoute[] {
  const route = createBrowserRoutes<PortalHandler>((c, answer) => answerBrowser(c, { ...options, refused }, answer))
  return [
    ...Object.entries(pages).map(([path, load]) => route('GET', path, async (call) => showPage(call, await load()))),
    route('GET', '/portal/sign-in', portalSignInPage),
    route('POST', '/portal/sign-in', openPortal, { maxBodyBytes: PUBLIC_BODY_BYTES }),
    route('GET', '/portal/sign-in/mail', portalLinkSentPage),
    route('POST', '/portal/sign-in/mail', requestPortalLink, { maxBodyBytes: PUBLIC_BODY_BYTES }),
    route('POST', '/portal/sign-out', signOutOfPortal, { maxBodyBytes: PUBLIC_BODY_BYTES }),
    route('POST', '/portal/run/:operation', runPortalAction),
    // Its form has a file, which is larger than any other.
    route('POST', '/portal/run/attachments.add', runPortalAction, { maxBodyBytes: MAX_ATTACHMENT_BODY_BYTES }),
    route('GET', '/portal/attachments/:id', (call) => {
      requireSession(call)
      return sendAttachment(call)
    }),
  ]
}

async function answerBrowser(
  c: AppContext,
  options: AppOptions & { refused: OnRefused },
  answer: PortalHandler,
): Promise<Response> {
  const { call } = c.env
  const turn = new PageTurn(options.turns)
  const open = createCallOpener(c, options, 'portal')
  const portalCall: PortalCall = {
    c,
    options,
    session: null,
    run: (op, input) => runOpened(open, op, input, turn),
    page: async (page, status = 200) =>
      c.body(String(await renderPortalPage(page, portalCall.session)), status as 200, PAGE_HEADERS),
  }
  try {
    // Only the session decides who calls. Another credential would show more than one carrier.
    call.credentials = { user: null, dock: null }
    portalCall.session = await findSession(c, options)
    call.credentials = { user: null, dock: portalCall.session?.dock ?? null }
    options.limits.countRequest(call)
    return await answer(portalCall)
  } catch (error) {
    await options.refused(error, call)
    return portalErrorPage(portalCall, error)
  } finally {
    turn.end()
  }
}

async function findSession(c: AppContext, options: AppOptions): Promise<PortalSession | null> {
  const { call, incoming } = c.env
  const secret = readPortalCookie(incoming.headers, {
    isSecure: isAtSecureAddress({ options }, incoming.headers.host),
  })
  if (secret === null) return null
  return options.portal.findSession(call, secret, () => {
    for (const cookie of EXPIRED_PORTAL_COOKIES) c.header('Set-Cookie', cookie, { append: true })
  })
}

async function showPage(call: PortalCall, render: PortalPage): Promise<Response> {
  const { c, options } = call
  const { carrier, email } = requireSession(call)
  const { done, ...query } = c.req.query()
  const { body, ...content } = await render({
    params: c.req.param() as Record<string, string>,
    query,
    carrier,
    email,
    now: options.studio.context({ actor: { kind: 'anonymous' } }).clock.now(),
    run: async (id, input) => (await call.run(await loadOperation(id), input)) as never,
  })
  return call.page({ ...content, body: html`${await actionNotice(done)}${body}` })
}

function requireSession({ session }: PortalCall): PortalSession {
  if (session !== null) return session
  throw new StudioError('unauthenticated', 'Open the link of your invitation to see this page.')
}
