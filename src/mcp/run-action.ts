import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import { loadOperation } from '../catalog'
import {
  type Access,
  type Actor,
  type AnyOperation,
  asStudioError,
  execute,
  type Hint,
  type OffersCapability,
  type Progress,
  withoutPlaces,
} from '../kernel'
import type { StudioContext } from '../studio-context'
import type { AgentAction } from './actions'
import { formatError } from './tool-error'
import type { ToolSelection } from './tool-selection'

/** Where tools run: the actors, and the contexts of calls. */
export interface ToolHost {
  version: string
  /** Whether a tracker of the settings has the capability. */
  isOffered: OffersCapability
  /** Which tools the client wants; all of them by default. */
  selection?: ToolSelection
  /** The actor for actions of that access. A client may have one credential for the stories and another for the docks. */
  actorFor(access: Access): Actor
  /** The context of one call, when the host has room for it; `done` releases it. */
  open(call: {
    op: AnyOperation
    actor: Actor
    signal: AbortSignal
    progress(step: Progress): void
    notice(text: Hint): void
  }): Promise<{
    context: StudioContext
    done(): void
  }>
}

/** One request of a client: where it runs, and the actions that the caller may use. */
export interface Calling {
  host: ToolHost
  actions: readonly AgentAction[]
  context: ServerContext
}

export interface Ran {
  op: AnyOperation
  answer: unknown
  /** What the operation said about the answer. */
  notices: readonly Hint[]
  /** A random word of that many letters and digits. */
  drawWord(length: number): string
}

export function findAction(id: string | undefined, { actions }: Calling): AgentAction | undefined {
  return actions.find((action) => action.id === id)
}

export async function runAction(id: string, input: unknown, { host, context }: Calling): Promise<Ran> {
  const op = await loadOperation(id)
  const { signal } = context.mcpReq
  const notices: Hint[] = []
  const call = await host.open({
    op,
    actor: host.actorFor(op.access),
    signal,
    progress: progressTo(context),
    notice: (text) => notices.push(text),
  })
  try {
    const answer = await execute(op, input, call.context)
    return { op, answer, notices, drawWord: (length) => call.context.ids.secret(length) }
  } finally {
    call.done()
  }
}

/** The answer of an action, or the result of `present`, for a request that is not a tool call: a failure is an error of the protocol. */
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

/** Hides the files of this machine from remote callers. */
export function shownError(error: unknown, { access }: AgentAction, host: ToolHost): unknown {
  return host.actorFor(access).kind === 'terminal' ? error : withoutPlaces(asStudioError(error))
}

/** Reports progress to a client that asked for it. A lost notification does no harm. */
function progressTo({ mcpReq }: ServerContext): (step: Progress) => void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => {}
  let reported = 0
  return ({ label, done, total }) => {
    reported = Math.max(reported + 1, done ?? 0)
    const params = { progressToken, progress: reported, ...(total === undefined ? {} : { total }), message: label }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}
