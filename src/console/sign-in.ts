import type { Credentials } from '../http/call'
import { originOf } from '../http/operation-call'
import { asStudioError, StudioError } from '../kernel'
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
  const secret = await recordRefusal(call, () =>
    options.caller.signIn(c.env.call, credential.trim(), {
      userAgent: c.req.header('user-agent') ?? null,
      replaces: readSessionCookie(c.env.incoming.headers),
    }),
  )
  const session = await options.caller.findSession(c.env.call, secret, () => {})
  if (session) await record(call, 'console.sign-in', session)
  const isSecure = c.req.header('origin')!.startsWith('https:')
  c.header('Set-Cookie', formatSessionCookie(secret, { isSecure }))
  return goTo(call, safePage(next))
}

export const signOut: ConsoleHandler = async (call) => {
  const { c, options, sessionId } = call
  requireOwnForm(call)
  if (sessionId !== null) {
    await options.caller.signOut(sessionId)
    await record(call, 'console.sign-out', c.env.call.credentials)
  }
  c.header('Set-Cookie', EXPIRED_COOKIE)
  return goTo(call, '/console/sign-in')
}

/** Signing in and out is no operation, and has an entry of the audit all the same. */
async function record({ c, options }: ConsoleCall, id: string, credentials: Credentials): Promise<void> {
  const actor = options.caller.actorFor({ ...c.env.call, credentials }, 'workspace')
  const ctx = options.studio.context({ actor, origin: originOf(c.env.call, 'console') })
  const recording = await ctx.recorder?.begin({ op: { id, access: 'workspace' }, time: 'at-end', input: {}, ctx })
  await recording?.done(null)
}

async function recordRefusal<R>({ c, options }: ConsoleCall, signIn: () => Promise<R>): Promise<R> {
  try {
    return await signIn()
  } catch (error) {
    if (asStudioError(error).code === 'unauthenticated') {
      const actor = { kind: 'anonymous' } as const
      const { recorder } = options.studio.context({ actor, origin: originOf(c.env.call, 'console') })
      await recorder?.refused({ id: 'console.sign-in', access: 'workspace' }, actor, error)
    }
    throw error
  }
}

/** Leads to a page: a script goes there by itself. */
export function goTo(call: ConsoleCall, location: string): Response {
  return isFromScript(call) ? call.c.json({ location }) : call.c.redirect(location, 303)
}
