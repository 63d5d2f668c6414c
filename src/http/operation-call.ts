import type { Actor, AnyOperation, CallOrigin, Surface } from '../kernel'
import type { StudioContext } from '../studio-context'
import type { Turns } from './answers/answer-turns'
import type { AppOptions } from './app-options'
import { type Call, callLog, createCallSignal } from './call'
import { callerKey } from './callers/caller-limits'

/** How long a call may take if its operation does not say. */
export const CALL_TIMEOUT_MS = 30_000

/** An operation that was called over HTTP: its context, and what it takes of the service. */
export interface OperationCall {
  context: StudioContext
  /** To be called when its answer is no longer in memory as values. */
  endTurn(): void
  /** To be called when the call is over. */
  done(): void
}

export interface CallOptions extends Partial<Pick<StudioContext, 'progress' | 'notice'>> {
  actor: Actor
  /** Each of them ends the call. */
  sources: readonly AbortSignal[]
  /** How long the call may take if the operation does not say. */
  timeoutMs?: number
  /** How the caller reaches the service; by default the HTTP API. */
  surface?: Surface
  /** Where a large answer waits for its turn. */
  turns?: Turns | undefined
}

/**
 * Opens the call of an operation. Every surface of the service opens its calls here, so that the same limits apply to them: how many
 * expensive calls its caller has under way, how long it may take, and that large answers wait for their turn.
 */
export async function openCall(
  op: Pick<AnyOperation, 'isExpensive' | 'hasLargeAnswer' | 'http'>,
  call: Call,
  { studio, limits, log, ...service }: Pick<AppOptions, 'studio' | 'limits' | 'turns' | 'log'>,
  { actor, sources, timeoutMs = CALL_TIMEOUT_MS, turns = service.turns, surface = 'http', ...reports }: CallOptions,
): Promise<OperationCall> {
  const end = limits.beginCall(op, call)
  const { signal, done: endTime } = createCallSignal(sources, op.http?.withinMs ?? timeoutMs)
  const done = () => {
    endTime()
    end()
  }
  try {
    const endTurn = op.hasLargeAnswer ? await turns.begin(callerKey(call), signal) : () => {}
    call.isOpened = true
    const origin = originOf(call, surface)
    const context = { ...studio.context({ actor, signal, origin, ...reports }), log: callLog(call, log) }
    return { context, endTurn, done }
  } catch (error) {
    done()
    throw error
  }
}

export function originOf({ requestId, peer }: Call, surface: Surface): CallOrigin {
  return { surface, requestId, address: peer }
}
