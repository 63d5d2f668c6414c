import type { Session } from '../access'
import { loadOperation } from '../catalog'
import { MAX_ATTACHMENT_BODY_BYTES } from '../docks'
import { PageTurn } from '../http/answers/answer-turns'
import { type AppContext, type AppHandler, type AppRoute, PUBLIC_BODY_BYTES } from '../http/app-env'
import type { AppOptions } from '../http/app-options'
import {
  authorize,
  compute,
  executePage,
  executeStream,
  isAuthorized,
  isDockAccess,
  isLong,
  type OperationId,
  roleFor,
  StudioError,
} from '../kernel'
import { actionNotice, runAction } from './actions/load-actions'
import { findAsset, loadAssets } from './assets'
import { sendAttachment, sendItemAttachment } from './attachment-file'
import { freeMoves } from './board/free-moves'
import { LiveBoards } from './board/live-board'
import { createBrowserRoutes, type OnRefused } from './browser-routes'
import { createCallOpener, runOpened } from './call-opener'
import { addressOf, type ConsoleCall, type ConsoleHandler } from './console-call'
import type { ConsolePage, PageRequest } from './console-page'
import { errorPage } from './error-page'
import { answerWithRights, mayRun } from './forms/rights'
import { html } from './html'
import { PAGE_HEADERS, renderPage } from './layout'
import { answerOffer, OFFER_PAGE, offerPage, showOffer } from './offer-answer'
import { exportAudit } from './pages/settings/audit-export'
import { actingMemberOf, chooseActingMember, tenantChoice } from './sign-in/acting-member'
import { linkSentPage, mailedLinkPage, requestLink } from './sign-in/mail-sign-in'
import {
  backChannelLogout,
  beginProviderSignIn,
  finishProviderSignIn,
  isAtSecureAddress,
} from './sign-in/provider-sign-in'
import { EXPIRED_COOKIES, formatSessionCookie, readSessionCookie } from './sign-in/session-cookie'
import { signIn, signInPage, signOut } from './sign-in/sign-in'

/** The pages by their paths. Each is loaded when it is first shown. */
export const pages: Record<string, () => Promise<ConsolePage>> = {
  '/console': async () => (await import('./pages/home')).homePage,
  '/console/search': async () => (await import('./pages/search')).searchPage,
  '/console/work': async () => (await import('./pages/work/work')).workPage,
  '/console/work/import': async () => (await import('./pages/work/import')).importPage,
  '/console/work/new': async () => (await import('./pages/work/new-item')).newItemPage,
  '/console/work/change': async () => (await import('./pages/work/change')).changePage,
  '/console/work/saved': async () => (await import('./pages/work/saved')).savedPage,
  '/console/work/views/:id': async () => (await import('./pages/work/work-view')).workViewPage,
  '/console/work/items/:id': async () => (await import('./pages/work/item/item')).itemPage,
  '/console/work/items/:id/comments': async () => (await import('./pages/work/item/comments')).commentsPage,
  '/console/work/items/:id/attachments': async () => (await import('./pages/work/item/attachments')).attachmentsPage,
  '/console/work/items/:id/steps': async () => (await import('./pages/work/item/steps')).stepsPage,
  '/console/work/items/:id/links': async () => (await import('./pages/work/item/web-links')).webLinksPage,
  '/console/work/queries': async () => (await import('./pages/work/tracker-queries')).queriesPage,
  '/console/work/items/:id/copy': async () => (await import('./pages/work/item/sanitized-copy')).sanitizedCopyPage,
  '/console/drafts': async () => (await import('./pages/drafts')).draftsPage,
  '/console/drafts/:id': async () => (await import('./pages/draft')).draftPage,
  '/console/drafts/:id/publish': async () => (await import('./pages/publish')).publishPage,
  '/console/reports/forecast': async () => (await import('./pages/reports/forecast')).forecastPage,
  '/console/reports': async () => (await import('./pages/reports/summary')).reportsPage,
  '/console/reports/briefing': async () => (await import('./pages/reports/briefing')).briefingPage,
  '/console/reports/priorities': async () => (await import('./pages/reports/priorities')).prioritiesPage,
  '/console/docks': async () => (await import('./pages/docks/docks')).docksPage,
  '/console/docks/:code': async () => (await import('./pages/docks/board')).boardPage,
  '/console/docks/:code/book': async () => (await import('./pages/docks/book')).bookPage,
  '/console/docks/:code/availability': async () => (await import('./pages/docks/book')).availabilityPage,
  '/console/docks/:code/attention': async () => (await import('./pages/docks/attention')).attentionPage,
  '/console/docks/:code/appointments': async () => (await import('./pages/docks/appointments')).appointmentsPage,
  '/console/docks/:code/plan': async () => (await import('./pages/docks/planning/plan')).planPage,
  '/console/docks/:code/clear': async () => (await import('./pages/docks/planning/clear')).clearPage,
  '/console/docks/:code/week': async () => (await import('./pages/docks/week')).weekPage,
  '/console/docks/:code/holds': async () => (await import('./pages/docks/holds')).holdsPage,
  '/console/docks/:code/series': async () => (await import('./pages/docks/series-list')).seriesListPage,
  '/console/series/:id': async () => (await import('./pages/docks/series')).seriesPage,
  '/console/docks/:code/report': async () => (await import('./pages/docks/report')).dockReportPage,
  '/console/docks/:code/carriers': async () => (await import('./pages/docks/carriers')).carriersPage,
  '/console/docks/:code/yard': async () => (await import('./pages/docks/yard')).yardPage,
  '/console/docks/:code/yard/import': async () => (await import('./pages/docks/import')).importTrailersPage,
  '/console/trailers/:id': async () => (await import('./pages/docks/trailer')).trailerPage,
  '/console/docks/:code/waitlist': async () => (await import('./pages/docks/waitlist')).waitlistPage,
  '/console/docks/:code/gate-links': async () => (await import('./pages/docks/gate-links')).gateLinksPage,
  '/console/docks/:code/import': async () => (await import('./pages/docks/import')).importPage,
  '/console/docks/:code/settings': async () => (await import('./pages/docks/facility-settings')).facilitySettingsPage,
  '/console/appointments': async () => (await import('./pages/docks/appointments')).findPage,
  '/console/docks/:code/slot': async () => (await import('./board/slot-page')).slotPage,
  '/console/docks/:code/screens': async () => (await import('./board/screens-page')).screensPage,
  '/console/appointments/:id/change': async () => (await import('./board/appointment-menu')).appointmentChangePage,
  '/console/appointments/:id/menu': async () => (await import('./board/appointment-menu')).appointmentMenuPage,
  '/console/appointments/:id': async () => (await import('./pages/docks/appointment')).appointmentPage,
  '/console/settings/people': async () => (await import('./pages/settings/people')).peoplePage,
  '/console/settings/trackers': async () => (await import('./pages/settings/trackers')).trackersPage,
  '/console/settings/storage': async () => (await import('./pages/settings/storage')).storagePage,
  '/console/settings/staff': async () => (await import('./pages/settings/staff')).staffPage,
  '/console/settings/messages': async () => (await import('./pages/settings/messages')).messagesPage,
  '/console/settings/audit': async () => (await import('./pages/settings/audit')).auditPage,
  '/console/settings/system': async () => (await import('./pages/settings/system')).systemPage,
  '/console/settings': async () => (await import('./pages/settings/security')).securityPage,
}

declare const STUDIO_DEVELOPMENT: boolean

/** Pages for who works on the console: from source, or built with `npm run build -- --development`. */
function developmentPages(): typeof pages {
  if (typeof STUDIO_DEVELOPMENT !== 'undefined' && !STUDIO_DEVELOPMENT) return {}
  return { '/console/_gallery': async () => (await import('./pages/gallery')).galleryPage }
}

/** The web console: pages for browsers, under one path, so that no route of the API sees its cookie. */
export function consoleRoutes(options: AppOptions, refused: OnRefused): AppRoute[] {
  loadAssets()
  const route = createBrowserRoutes<ConsoleHandler>((c, answer) => answerBrowser(c, { ...options, refused }, answer))
  return [
    ...Object.entries({ ...pages, ...developmentPages() }).map(([path, load]) =>
      route('GET', path, async (call) => showPage(call, await load())),
    ),
    route('GET', '/console/docks/:code/live', new LiveBoards(options).handler),
    route('GET', '/console/appointments/:id/moves', freeMoves),
    route('GET', '/console/sign-in', signInPage),
    route('GET', '/console/oidc/sign-in', beginProviderSignIn),
    route('GET', '/console/oidc/callback', finishProviderSignIn),
    route('POST', '/console/oidc/backchannel-logout', backChannelLogout, { maxBodyBytes: PUBLIC_BODY_BYTES }),
    route('POST', '/console/sign-in/mail', requestLink, { maxBodyBytes: PUBLIC_BODY_BYTES }),
    route('GET', '/console/sign-in/mail', linkSentPage),
    route('GET', '/console/sign-in/link', mailedLinkPage),
    route('GET', `${OFFER_PAGE}/accept`, offerPage('accept')),
    route('GET', `${OFFER_PAGE}/decline`, offerPage('decline')),
    route('POST', `${OFFER_PAGE}/show`, showOffer, { maxBodyBytes: PUBLIC_BODY_BYTES }),
    route('POST', `${OFFER_PAGE}/accept`, answerOffer('accept'), { maxBodyBytes: PUBLIC_BODY_BYTES }),
    route('POST', `${OFFER_PAGE}/decline`, answerOffer('decline'), { maxBodyBytes: PUBLIC_BODY_BYTES }),
    route('POST', '/console/sign-in', signIn, { maxBodyBytes: PUBLIC_BODY_BYTES }),
    route('POST', '/console/sign-out', signOut, { maxBodyBytes: PUBLIC_BODY_BYTES }),
    route('POST', '/console/acting-member', chooseActingMember, { maxBodyBytes: PUBLIC_BODY_BYTES }),
    route('POST', '/console/run/:operation', runAction),
    // Their forms have a file, which is larger than any other.
    route('POST', '/console/run/items.import-file', runAction, { maxBodyBytes: MAX_IMPORT_BODY_BYTES }),
    route('POST', '/console/run/attachments.add', runAction, { maxBodyBytes: MAX_ATTACHMENT_BODY_BYTES }),
    route('POST', '/console/run/items.attach', runAction, { maxBodyBytes: MAX_ATTACHMENT_BODY_BYTES }),
    route('GET', '/console/attachments/:id', sendAttachment),
    route('GET', '/console/work/items/:id/attachments/:attachment', sendItemAttachment),
    route('GET', '/console/settings/audit/export', exportAudit),
    { method: 'GET', path: '/console/assets/:version/:name', handler: sendAsset },
    { method: 'GET', path: '/console/assets/:version/:folder/:name', handler: sendAsset },
  ]
}

/** What a browser gets at an address below that of the console that has no page. */
export function unknownPage(options: AppOptions, refused: OnRefused): (c: AppContext) => Promise<Response> {
  return (c) =>
    answerBrowser(c, { ...options, refused }, () => {
      throw new StudioError('not_found', 'The console has no such page.')
    })
}

async function answerBrowser(
  c: AppContext,
  options: AppOptions & { refused: OnRefused },
  answer: ConsoleHandler,
): Promise<Response> {
  const { call } = c.env
  const turn = new PageTurn(options.turns)
  const open = createCallOpener(c, options, 'console')
  const may = async (id: OperationId) => {
    const op = await loadOperation(id)
    return isAuthorized(op, options.caller.actorFor(call, op.access))
  }
  const convert = async (task: 'toPageHtml' | 'toMarkdown', text: string, format: 'html' | 'markdown') => {
    // All calls share the thread, so that one caller may not fill its queue.
    const { context, done } = await open({ access: 'workspace', ...(isLong(text) && { isExpensive: true }) })
    try {
      const { richTextTasks } = await import('../rich-text/rules/tasks')
      return await compute(context, richTextTasks[task], text, format)
    } finally {
      done()
    }
  }
  const consoleCall: ConsoleCall = {
    c,
    options,
    session: null,
    run: (op, input) => runOpened(open, op, input, turn),
    async runList(op, input, limit) {
      const { context, done } = await open(op, { turns: turn })
      try {
        return await executePage(op, { input, source: 'the page' }, context, { limit, cursor: null })
      } finally {
        done()
      }
    },
    async *stream(op, input, left) {
      const stream = options.streams.begin(c.env)
      try {
        const { context, endTurn, done } = await open(op, { left: [left, stream.ended] })
        try {
          yield* executeStream(op, input, context)
        } finally {
          endTurn()
          done()
        }
      } finally {
        stream.done()
      }
    },
    toPageHtml: (text, format) => convert('toPageHtml', text, format),
    toMarkdown: (text, format) => convert('toMarkdown', text, format),
    page: async (page, status = 200) =>
      c.body(
        String(
          await renderPage({
            ...page,
            signedInAs: nameOf(call.credentials),
            tenantChoice: tenantChoice(consoleCall, c.req.method === 'GET' ? addressOf(consoleCall) : '/console'),
            actingMember: actingMemberOf(consoleCall),
          }),
        ),
        status as 200,
        PAGE_HEADERS,
      ),
  }
  try {
    consoleCall.session = await takeSession(c, options)
    // For the credential of the session: many people may share an address. Without a session the address is the caller.
    options.limits.countRequest(call)
    return await answerWithRights(may, () => answer(consoleCall))
  } catch (error) {
    await options.refused(error, call)
    return answerWithRights(may, () => errorPage(consoleCall, error))
  } finally {
    turn.end()
  }
}

/** The session of the cookie decides who calls, unless the request has credentials of its own. */
async function takeSession(c: AppContext, options: AppOptions): Promise<Session | null> {
  const { call, incoming } = c.env
  const isSecure = isAtSecureAddress({ options }, incoming.headers.host)
  const secret = readSessionCookie(incoming.headers, { isSecure })
  if (secret === null || call.credentials.user || call.credentials.dock) return null
  const session = await options.caller.findSession(call, secret, () => {
    for (const cookie of EXPIRED_COOKIES) c.header('Set-Cookie', cookie, { append: true })
  })
  if (session) Object.assign(call, { credentials: session, sessionSecret: secret })
  if (session?.isScreen) c.header('Set-Cookie', formatSessionCookie(secret, { isSecure, isScreen: true }))
  return session
}

function nameOf({ user, dock }: AppContext['env']['call']['credentials']): string | null {
  return user?.name ?? dock?.credential.name ?? null
}

async function showPage(call: ConsoleCall, { section, access, render }: ConsolePage): Promise<Response> {
  const { c, options } = call
  const actorFor: PageRequest['actorFor'] = (needed) => options.caller.actorFor(c.env.call, needed)
  requireAccess(call, access)
  const { done, ...query } = c.req.query()
  const { body, ...content } = await render({
    params: c.req.param() as Record<string, string>,
    query,
    url: addressOf(call),
    service: {
      ...options,
      isOffered: await options.studio.loadCapabilityTest(),
      sendsSignInLinks: options.mailLinks !== null,
      listTrackerSettings: options.studio.listTrackerSettings,
    },
    now: options.studio.context({ actor: { kind: 'anonymous' } }).clock.now(),
    run: async (id, input) => (await call.run(await loadOperation(id), input)) as never,
    runList: async (id, input, limit) => (await call.runList(await loadOperation(id), input, limit)) as never,
    toPageHtml: call.toPageHtml,
    toMarkdown: call.toMarkdown,
    actorFor,
    may: mayRun,
  })
  return call.page({ ...content, section, body: html`${await actionNotice(done)}${body}` })
}

/** Refuses before the page is loaded, in words for a person with a browser. */
function requireAccess({ c, options, session }: ConsoleCall, access: ConsolePage['access']): void {
  const actor = options.caller.actorFor(c.env.call, access)
  try {
    authorize({ access, effect: 'read' }, actor)
  } catch (error) {
    if (!(error instanceof StudioError)) throw error
    // Who has signed in with the provider has one role, which they cannot choose.
    if (actor.kind === 'user' && actor.personId !== undefined && !isDockAccess(access)) {
      const has = actor.role === null ? 'You have none.' : `Yours is ${actor.role}.`
      throw error.copyWith({ message: `${describeNeed(access)} ${has}` })
    }
    const canChoose =
      isDockAccess(access) && actor.kind === 'user' && session !== null && session.memberships.length > 0
    throw error.copyWith({ message: describeNeed(access), hint: canChoose ? HOW_TO_CHOOSE : HOW_TO_SIGN_IN })
  }
}

function describeNeed(access: ConsolePage['access']): string {
  if (isDockAccess(access)) return `This page needs the role ${access.docks} at the docks of a tenant.`
  return access === 'public'
    ? 'This page needs no credential.'
    : `This page needs the role ${roleFor({ access, effect: 'read' })}.`
}

const HOW_TO_CHOOSE = 'Choose the tenant to act for at the top of this page.'
const HOW_TO_SIGN_IN = 'Sign in below.'

/** A file of items with their texts. */
const MAX_IMPORT_BODY_BYTES = 16 * 1024 * 1024

const sendAsset: AppHandler = (c) => {
  const { folder, name } = c.req.param() as { folder?: string; name: string }
  const asset = findAsset(folder === undefined ? name : `${folder}/${name}`)
  if (!asset) throw new StudioError('not_found', 'There is no such file of the console.')
  return asset.body.answer(c, asset.headers)
}
