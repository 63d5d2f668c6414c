import type { Turns } from '../http/answers/answer-turns'
import type { AppContext } from '../http/app-env'
import type { AppOptions } from '../http/app-options'
import { openCall } from '../http/operation-call'
import { type AnyOperation, execute, type Surface } from '../kernel'

type Called = Parameters<typeof openCall>[0] & Pick<AnyOperation, 'access'>

/** Opens calls of operations as the caller of a request. */
export function createCallOpener({ env: { call }, req }: AppContext, options: AppOptions, surface: Surface) {
  return (op: Called, { left = [], turns }: { left?: AbortSignal[]; turns?: Turns } = {}) =>
    openCall(op, call, options, {
      actor: options.caller.actorFor(call, op.access),
      sources: [req.raw.signal, options.stopping, ...left],
      turns,
      surface,
    })
}

export type CallOpener = ReturnType<typeof createCallOpener>

/** Runs an operation for a page, which waits with a large answer until its turn ends. */
export async function runOpened(open: CallOpener, op: AnyOperation, input: unknown, turns: Turns): Promise<unknown> {
  const { context, done } = await open(op, { turns })
  try {
    return await execute(op, input, context)
  } finally {
    done()
  }
}
