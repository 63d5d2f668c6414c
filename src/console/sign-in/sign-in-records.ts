import type { Credentials } from '../../http/call'
import { originOf } from '../../http/operation-call'
import { asStudioError } from '../../kernel'
import type { ConsoleCall } from '../console-call'

/** Signing in and out is no operation, and has an entry of the audit all the same. */
export async function record({ c, options }: ConsoleCall, id: string, credentials: Credentials): Promise<void> {
  const actor = options.caller.actorFor({ ...c.env.call, credentials }, 'workspace')
  const ctx = options.studio.context({ actor, origin: originOf(c.env.call, 'console') })
  const recording = await ctx.recorder?.begin({ op: { id, access: 'workspace' }, time: 'at-end', input: {}, ctx })
  await recording?.done(null)
}

export async function recordRefusal<R>({ c, options }: ConsoleCall, signIn: () => Promise<R>): Promise<R> {
  try {
    return await signIn()
  } catch (error) {
    if (['unauthenticated', 'forbidden'].includes(asStudioError(error).code)) {
      const actor = { kind: 'anonymous' } as const
      const { recorder } = options.studio.context({ actor, origin: originOf(c.env.call, 'console') })
      await recorder?.refused({ id: 'console.sign-in', access: 'workspace' }, actor, error)
    }
    throw error
  }
}
