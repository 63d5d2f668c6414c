import { type ErrorCode, type ErrorOptions, StudioError } from '../../kernel'

/**
 * What a request may have done although it failed. `none`: it was refused, or never left this machine.
 * `unknown`: it may have been received, so only reading again can tell.
 */
export type Effect = 'none' | 'unknown'

export interface FaultOptions extends ErrorOptions {
  /** True where the same read, sent again, may well succeed. */
  transient?: boolean
  effect?: Effect
  /** The tracker's own code for it: `VS402337`. */
  said?: string
}

/** A request to the tracker that gave nothing to work with. */
export class TrackerFault extends StudioError {
  readonly transient: boolean
  readonly effect: Effect
  readonly said: string

  constructor(code: ErrorCode, message: string, options: FaultOptions = {}) {
    super(code, message, options)
    this.transient = options.transient ?? false
    this.effect = options.effect ?? 'none'
    this.said = options.said ?? ''
  }
}

/** The caller has gone, or set a limit of its own. */
export function interruptedFault(signal: AbortSignal, effect: Effect): TrackerFault {
  const reason: unknown = signal.reason
  if (reason instanceof StudioError) {
    return new TrackerFault(reason.code, reason.message, { hint: reason.hint ?? undefined, effect, cause: reason })
  }
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new TrackerFault('tracker_timeout', 'The tracker took longer than this call may take.', { effect })
  }
  return new TrackerFault('interrupted', 'Interrupted while asking the tracker.', { effect })
}

/** Stands for an answer whose size passed the limit. */
export class AnswerTooLarge extends TrackerFault {
  constructor(limitBytes: number) {
    super('tracker_answer', `The tracker's answer is larger than ${Math.floor(limitBytes / 1024 / 1024)} MiB.`, {
      effect: 'unknown',
    })
  }
}

/** True where the tracker was reached and would not or could not give this one thing: the caller may do without. */
export function isRefusal(error: unknown): error is TrackerFault {
  return error instanceof TrackerFault && ['tracker_forbidden', 'not_found', 'tracker_answer'].includes(error.code)
}

/** A refusal that asking again will not change. */
export function isLastingRefusal(error: unknown): error is TrackerFault {
  return isRefusal(error) && error.code !== 'tracker_answer'
}
