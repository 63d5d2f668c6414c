import type { Credentials } from '../../http/call'
import { originOf } from '../../http/operation-call'
import { asStudioError } from '../../kernel'
import type { ConsoleCall } from '../console-call'

/** The surface, and what the browser does there. */
type SignInId = `${'console' | 'portal'}.${'sign-in' | 'sign-out'}`

const surfaceOf = (id: SignInId) => (id.startsWith('portal') ? 'portal' : 'console')

type BrowserCall = Pick<ConsoleCall, 'c' | 'options'>

/** Signing in and out is no operation, and has an entry of the audit all the same. */
export async function record({ c, options }: BrowserCall, id: SignInId, credentials: Credentials): Promise<void> {
  const actor = options.caller.actorFor({ ...c.env.call, credentials }, 'workspace')
  const ctx = options.studio.context({ actor, origin: originOf(c.env.call, surfaceOf(id)) })
  const recording = await ctx.recorder?.begin({ op: { id, access: 'workspace' }, time: 'at-end', input: {}, ctx })
  await recording?.done(null)
}

export async function recordRefusal<R>(
  { c, options }: BrowserCall,
  id: SignInId,
  signIn: () => Promise<R>,
): Promise<R> {
  try {
    return await signIn()
  } catch (error) {
    if (['unauthenticated', 'forbidden'].includes(asStudioError(error).code)) {
      const actor = { kind: 'anonymous' } as const
      const { recorder } = options.studio.context({ actor, origin: originOf(c.env.call, surfaceOf(id)) })
      await recorder?.refused({ id, access: 'workspace' }, actor, error)
    }
    throw error
  }
}
