import {
  asStudioError,
  errorBody,
  familyOf,
  httpStatusOf,
  retryAfterOf,
  type StudioError,
  withoutPlaces,
} from '../kernel'
import { addressOf, type ConsoleCall, isFromScript } from './console-call'
import { renderHint, toBrowserHint, toBrowserMessage, withBrowserHint } from './errors/browser-hint'
import { findForm } from './errors/find-form'
import { retryForm, slotButtons } from './errors/slot-buttons'
import { safePage } from './forms/form'
import { signInForms } from './forms/sign-in-form'
import { type Html, html } from './html'
import { leadTo } from './lead-to'

/** An error as a page, or as JSON for the script of a form. */
export async function errorPage(
  call: ConsoleCall,
  error: unknown,
  { isCallback = false }: { isCallback?: boolean } = {},
): Promise<Response> {
  const { c } = call
  const given = withoutPlaces(asStudioError(error))
  const known = given.copyWith({ message: toBrowserMessage(given) })
  const { status, isAboutCredentials, title, report } = describeError(call, known)
  const offers = call.form ? slotButtons(call.form, known) : null
  if (wantsJson(call)) {
    const isSignedOut = status === 401 && c.req.path.startsWith('/console/run/')
    const shown = withBrowserHint(isSignedOut ? known.copyWith({ message: SESSION_ENDED, hint: null }) : known)
    const { links } = toBrowserHint(isSignedOut ? null : known.hint)
    const parts = { ...(links.length > 0 && { links }), ...(offers && { offers: String(offers) }) }
    const body = { ...errorBody(shown, c.env.call.requestId), ...parts }
    return c.json(isSignedOut ? { ...body, signIn: signInPath(pageOfForm(call)) } : body, status as 400)
  }
  if (isAboutCredentials && isFromOtherSite(call) && !isCallback) return leadTo(call, addressOf(call))
  if (status === 401) c.header('WWW-Authenticate', 'Bearer realm="studio"')
  const next = c.req.method === 'GET' ? (isCallback ? '/console' : addressOf(call)) : pageOfForm(call)
  const body = html`<h1>${title}</h1>
${report}
${renderHint(known.hint, addressOf(call))}
${offers === null ? '' : retryForm(call.form!, offers)}
${status === 404 ? findForm() : ''}
${isAboutCredentials ? signInForms(call.options, next) : ''}`
  return call.page({ title, section: null, body }, status)
}

/** Scripts of other programs say what they read. */
function wantsJson(call: ConsoleCall): boolean {
  return isFromScript(call) || /^application\/json\b/i.test(call.c.req.header('accept') ?? '')
}

const SESSION_ENDED = 'You are not signed in any more. Nothing was saved, and what you have typed is still here.'

/** The page that a form is on, as the browser says. */
function pageOfForm({ c }: ConsoleCall): string {
  const referer = c.req.header('referer') ?? ''
  const address = URL.canParse(referer) ? new URL(referer) : null
  return safePage(address === null ? '' : `${address.pathname}${address.search}`)
}

function signInPath(next: string): string {
  return `/console/sign-in?${new URLSearchParams({ next })}`
}

/** What a page says of an error, without how to go on. It is noted for the log, and a browser learns when to try again. */
export function describeError(
  { c }: Pick<ConsoleCall, 'c'>,
  error: StudioError,
): { status: number; isAboutCredentials: boolean; title: string; report: Html } {
  c.env.call.code = error.code
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== null) c.header('Retry-After', String(retryAfter))
  const isAboutCredentials = ['unauthenticated', 'forbidden'].includes(familyOf(error.code))
  const title = isAboutCredentials ? 'Sign in' : (titles[familyOf(error.code)] ?? 'It did not work')
  const details = error.details.filter(({ message }) => !error.message.includes(message))
  const report = html`<p role="alert">${error.message}</p>
${details.map(({ path, message }) => html`<p>${path} ${message}</p>`)}`
  return { status: httpStatusOf(error.code), isAboutCredentials, title, report }
}

const titles: Partial<Record<ReturnType<typeof familyOf>, string>> = {
  not_found: 'Not found',
  invalid: 'Check your input',
  conflict: 'It cannot be done now',
  limited: 'Too many requests',
  unavailable: 'Not available',
}

/** Browsers send no strict cookie with the first request that a link elsewhere leads to. */
export function isFromOtherSite({ c }: Pick<ConsoleCall, 'c'>): boolean {
  return c.req.method === 'GET' && c.req.header('sec-fetch-site') === 'cross-site'
}
