import { formatCommand } from '../catalog'
import { asStudioError, errorBody, familyOf, httpStatusOf, retryAfterOf, withoutPlaces, withPlainHint } from '../kernel'
import { addressOf, type ConsoleCall, isFromScript } from './console-call'
import { signInForms } from './forms/sign-in-form'
import { html } from './html'
import { leadTo } from './lead-to'

/** An error as a page, or as JSON for the script of a form. */
export async function errorPage(
  call: ConsoleCall,
  error: unknown,
  { isCallback = false }: { isCallback?: boolean } = {},
): Promise<Response> {
  const { c } = call
  const known = await withPlainHint(withoutPlaces(asStudioError(error)), formatCommand)
  const status = httpStatusOf(known.code)
  c.env.call.code = known.code
  const retryAfter = retryAfterOf(known)
  if (retryAfter !== null) c.header('Retry-After', String(retryAfter))
  if (isFromScript(call)) return c.json(errorBody(known, c.env.call.requestId), status as 400)
  const isAboutCredentials = ['unauthenticated', 'forbidden'].includes(familyOf(known.code))
  if (isAboutCredentials && isFromOtherSite(call) && !isCallback) return leadTo(call, addressOf(call))
  if (status === 401) c.header('WWW-Authenticate', 'Bearer realm="studio"')
  const title = isAboutCredentials ? 'Sign in' : (titles[familyOf(known.code)] ?? 'It did not work')
  const body = html`<h1>${title}</h1>
<p role="alert">${known.message}</p>
${known.details.filter(({ message }) => !known.message.includes(message)).map(({ path, message }) => html`<p>${path} ${message}</p>`)}
${known.hint === null ? '' : html`<p>${known.hint as string}</p>`}
${isAboutCredentials ? signInForms(call.options, c.req.method === 'GET' && !isCallback ? addressOf(call) : '/console') : ''}`
  return call.page({ title, section: null, body }, status)
}

const titles: Partial<Record<ReturnType<typeof familyOf>, string>> = {
  not_found: 'Not found',
  invalid: 'Check your input',
  conflict: 'It cannot be done now',
  limited: 'Too many requests',
  unavailable: 'Not available',
}

/** Browsers send no strict cookie with the first request that a link elsewhere leads to. */
function isFromOtherSite({ c }: ConsoleCall): boolean {
  return c.req.method === 'GET' && c.req.header('sec-fetch-site') === 'cross-site'
}
