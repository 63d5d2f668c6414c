import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import { loadOperation } from '../catalog'
import {
  type Access,
  type Actor,
  type AnyOperation,
  asStudioError,
  execute,
  type Progress,
  withoutPlaces,
} from '../kernel'
import type { StudioContext } from '../studio-context'
import type { AgentAction } from './actions'
import { formatError } from './tool-error'

/** Where tools run: for whom, and how long a call may take. */
export interface ToolHost {
  version: string
  /** For whom actions of that kind run. A client may bring one credential for the stories and another one for the docks. */
  actorFor(access: Access): Actor
  /** The context of one call; `done` lets go of what it holds. */
  open(call: { actor: Actor; signal: AbortSignal; withinMs: number | null; progress(step: Progress): void }): {
    context: StudioContext
    done(): void
  }
}

/** One request of a client: where it runs, and what the caller may do. */
export interface Calling {
  host: ToolHost
  actions: readonly AgentAction[]
  context: ServerContext
}

export interface Ran {
  op: AnyOperation
  answer: unknown
  /** A word by chance, of so many letters and digits. */
  drawWord(length: number): string
}

export async function runAction(id: string, input: unknown, { host, context }: Calling): Promise<Ran> {
  const op = await loadOperation(id)
  const { signal } = context.mcpReq
  const call = host.open({
    actor: host.actorFor(op.access),
    signal,
    withinMs: op.http!.withinMs ?? null,
    progress: progressTo(context),
  })
  try {
    const answer = await execute(op, input, call.context)
    return { op, answer, drawWord: (length) => call.context.ids.secret(length) }
  } finally {
    call.done()
  }
}

/** The answer of an action, or what `present` makes of it, to a request that is no tool call: a failure is an error of the protocol. */
export async function answerOf(
  action: AgentAction,
  input: unknown,
  calling: Calling,
  present: (ran: Ran) => unknown = ({ answer }) => answer,
): Promise<any> {
  try {
    return present(await runAction(action.id, input, calling))
  } catch (error) {
    const text = await formatError(shownError(error, action, calling.host), action, calling.actions)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, text)
  }
}

/** Where files are on this machine is not told to a caller from elsewhere. */
export function shownError(error: unknown, { access }: AgentAction, host: ToolHost): unknown {
  return host.actorFor(access).kind === 'terminal' ? error : withoutPlaces(asStudioError(error))
}

/** Tells a client that asked for it how far a call is. What it does not hear is lost without harm. */
function progressTo({ mcpReq }: ServerContext): (step: Progress) => void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => {}
  let told = 0
  return ({ label, done, total }) => {
    told = Math.max(told + 1, done ?? 0)
    const params = { progressToken, progress: told, ...(total === undefined ? {} : { total }), message: label }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}
