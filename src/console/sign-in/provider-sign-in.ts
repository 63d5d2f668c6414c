import type { People } from '../../access'
import { StudioError } from '../../kernel'
import type { ConsoleCall, ConsoleHandler } from '../console-call'
import { errorPage } from '../error-page'
import { readForm, safePage } from '../forms/form'
import { leadTo } from '../lead-to'
import { expireAttemptCookie, formatAttemptCookie, formatSessionCookie, readAttemptCookie } from './session-cookie'
import { record, recordRefusal } from './sign-in-records'

const BEGIN_PATH = '/console/oidc/sign-in'

/** Leads a browser to the provider. */
export const beginProviderSignIn: ConsoleHandler = async (call) => {
  const { c, options } = call
  requirePeople(call)
  const publicUrl = options.studio.settings.auth.oidc!.publicUrl
  const nextPage = safePage(c.req.query('next'))
  // The provider leads back to the public address, where a cookie for another name of the service is unknown.
  if (c.req.header('host') !== new URL(publicUrl).host && c.req.query('at') === undefined)
    return c.redirect(`${publicUrl}${BEGIN_PATH}?${new URLSearchParams({ next: nextPage, at: 'public' })}`, 303)
  const { secret, url } = await options.caller.beginPerson(c.env.call, nextPage)
  c.header('Set-Cookie', formatAttemptCookie(secret, { isSecure: isSecure(call) }))
  return c.redirect(url, 303)
}

/** The provider leads the browser back here. */
export const finishProviderSignIn: ConsoleHandler = async (call) => {
  const { c, options } = call
  requirePeople(call)
  const secure = { isSecure: isSecure(call) }
  c.header('Set-Cookie', expireAttemptCookie(secure))
  try {
    const { session: secret, nextPage } = await recordRefusal(call, 'console.sign-in', () =>
      options.caller.signInPerson(c.env.call, {
        secret: readAttemptCookie(c.env.incoming.headers, secure),
        query: new URL(c.req.url).search,
        userAgent: c.req.header('user-agent') ?? null,
      }),
    )
    const session = await options.caller.findSession(c.env.call, secret, () => {})
    if (session) await record(call, 'console.sign-in', session)
    c.header('Set-Cookie', formatSessionCookie(secret, { ...secure, isScreen: false }), { append: true })
    return leadTo(call, nextPage)
  } catch (error) {
    return errorPage(call, error, { isCallback: true })
  }
}

/** The provider says that someone has signed out, or was locked (OpenID Connect Back-Channel Logout 1.0). */
export const backChannelLogout: ConsoleHandler = async (call) => {
  const { c, options } = call
  const people = requirePeople(call)
  const { logout_token: token } = await readForm(call)
  if (typeof token !== 'string') throw new StudioError('invalid', 'The field logout_token is missing.')
  await options.caller.checkProof(c.env.call, 'hook provider', () => people.logout(token))
  return c.body('', 200)
}

/** Where a person who has signed out here signs out at the provider; null for others. */
export async function findEndSessionUrl({ c, options }: ConsoleCall): Promise<string | null> {
  const { sessionSecret } = c.env.call
  if (options.people === null || sessionSecret === null) return null
  const session = await options.caller.findSession(c.env.call, sessionSecret, () => {})
  return session && options.people.endSessionUrl(session)
}

function isSecure({ options }: ConsoleCall): boolean {
  return options.studio.settings.auth.oidc!.publicUrl.startsWith('https:')
}

/** Whether the request came to the public address, if that is one of TLS. */
export function isAtSecureAddress({ options }: Pick<ConsoleCall, 'options'>, host: string | undefined): boolean {
  return options.studio.settings.serve.publicUrl === `https://${host}`
}

function requirePeople({ options }: ConsoleCall): People {
  if (options.people !== null) return options.people
  throw new StudioError('not_found', 'No provider for signing in is set up.', {
    hint: 'Set auth.oidc.issuer, and start the service again.',
  })
}
