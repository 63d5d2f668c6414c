import { StudioError } from '../kernel'
import { type ConsoleCall, type ConsoleHandler, isFromScript } from './console-call'
import { readForm, requireOwnForm, safePage } from './forms/form'
import { signInForm } from './forms/sign-in-form'
import { html } from './html'
import { EXPIRED_COOKIE, formatSessionCookie, readSessionCookie } from './session-cookie'

export const signInPage: ConsoleHandler = (call) =>
  call.page({
    title: 'Sign in',
    section: null,
    body: html`<h1>Sign in</h1>
<p>On the machine of the service, the command <code>studio console</code> opens this console signed in.</p>
${signInForm({ next: safePage(call.c.req.query('next')) })}`,
  })

/** Exchanges a credential for a session with a new secret. */
export const signIn: ConsoleHandler = async (call) => {
  const { c, options } = call
  requireOwnForm(call)
  const { credential, next } = await readForm(call)
  if (typeof credential !== 'string')
    throw new StudioError('invalid', 'Enter a token or a dock key.', {
      details: [{ path: 'credential', message: 'is required' }],
    })
  const secret = await options.caller.signIn(c.env.call, credential.trim(), {
    userAgent: c.req.header('user-agent') ?? null,
    replaces: readSessionCookie(c.env.incoming.headers),
  })
  const isSecure = c.req.header('origin')!.startsWith('https:')
  c.header('Set-Cookie', formatSessionCookie(secret, { isSecure }))
  return goTo(call, safePage(next))
}

export const signOut: ConsoleHandler = async (call) => {
  const { c, options, sessionId } = call
  requireOwnForm(call)
  if (sessionId !== null) await options.caller.signOut(sessionId)
  c.header('Set-Cookie', EXPIRED_COOKIE)
  return goTo(call, '/console/sign-in')
}

/** Leads to a page: a script goes there by itself. */
export function goTo(call: ConsoleCall, location: string): Response {
  return isFromScript(call) ? call.c.json({ location }) : call.c.redirect(location, 303)
}
