import { formatCommand } from '../catalog'
import {
  asStudioError,
  errorBody,
  familyOf,
  httpStatusOf,
  retryAfterOf,
  type StudioError,
  withoutPlaces,
  withPlainHint,
} from '../kernel'
import { addressOf, type ConsoleCall, isFromScript } from './console-call'
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
  const known = await withPlainHint(withoutPlaces(asStudioError(error)), formatCommand)
  const { status, isAboutCredentials, title, report } = describeError(call, known)
  if (isFromScript(call)) return c.json(errorBody(known, c.env.call.requestId), status as 400)
  if (isAboutCredentials && isFromOtherSite(call) && !isCallback) return leadTo(call, addressOf(call))
  if (status === 401) c.header('WWW-Authenticate', 'Bearer realm="studio"')
  const body = html`<h1>${title}</h1>
${report}
${known.hint === null ? '' : html`<p>${known.hint as string}</p>`}
${isAboutCredentials ? signInForms(call.options, c.req.method === 'GET' && !isCallback ? addressOf(call) : '/console') : ''}`
  return call.page({ title, section: null, body }, status)
}

/** For readers outside of the site: hints that name commands are for its staff. */
export function withoutCommands(error: StudioError): StudioError {
  return error.copyWith({ hint: typeof error.hint === 'string' ? error.hint : null })
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
