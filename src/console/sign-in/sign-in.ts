import { StudioError } from '../../kernel'
import { type ConsoleCall, type ConsoleHandler, isFromScript } from '../console-call'
import { readForm, requireOwnForm, safePage } from '../forms/form'
import { signInForms } from '../forms/sign-in-form'
import { html } from '../html'
import { leadTo } from '../lead-to'
import { findEndSessionUrl } from './provider-sign-in'
import { EXPIRED_COOKIES, formatSessionCookie, readSessionCookie } from './session-cookie'
import { record, recordRefusal } from './sign-in-records'

export const signInPage: ConsoleHandler = (call) =>
  call.page({
    title: 'Sign in',
    section: null,
    body: html`<h1>Sign in</h1>
<p>On the machine of the service, the command <code>studio console</code> opens this console signed in.</p>
${signInForms(call.options, safePage(call.c.req.query('next')))}`,
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
  const isSecure = c.req.header('origin')!.startsWith('https:')
  const secret = await recordRefusal(call, 'console.sign-in', () =>
    options.caller.signIn(c.env.call, credential.trim(), {
      userAgent: c.req.header('user-agent') ?? null,
      replaces: readSessionCookie(c.env.incoming.headers, { isSecure }),
    }),
  )
  const session = await options.caller.findSession(c.env.call, secret, () => {})
  if (session) await record(call, 'console.sign-in', session)
  c.header('Set-Cookie', formatSessionCookie(secret, { isSecure, isScreen: session?.isScreen ?? false }))
  return goTo(call, safePage(next))
}

export const signOut: ConsoleHandler = async (call) => {
  const { c, options, session } = call
  requireOwnForm(call)
  const elsewhere = await findEndSessionUrl(call)
  if (session !== null) {
    await options.caller.signOut(session.id)
    options.streams.endSession(c.env.call.sessionSecret!)
    await record(call, 'console.sign-out', c.env.call.credentials)
  }
  for (const cookie of EXPIRED_COOKIES) c.header('Set-Cookie', cookie, { append: true })
  return elsewhere === null ? goTo(call, '/console/sign-in') : leadTo(call, elsewhere)
}

/** Leads to a page: a script goes there by itself. */
export function goTo(call: Pick<ConsoleCall, 'c'>, location: string): Response {
  return isFromScript(call) ? call.c.json({ location }) : call.c.redirect(location, 303)
}
