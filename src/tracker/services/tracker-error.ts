import { type ErrorCode, type ErrorOptions, StudioError } from '../../kernel'

/**
 * What a failed request may have done. `none`: it was refused or never sent.
 * `unknown`: the tracker may have received it, so only reading again shows the result.
 */
export type RequestEffect = 'none' | 'unknown'

export interface TrackerErrorOptions extends ErrorOptions {
  /** Whether the same read may succeed if it is sent again. */
  isTransient?: boolean
  effect?: RequestEffect
  /** The tracker's own error code: `VS402337`. */
  trackerCode?: string
}

/** A request to the tracker failed. */
export class TrackerError extends StudioError {
  readonly isTransient: boolean
  readonly effect: RequestEffect
  readonly trackerCode: string

  constructor(code: ErrorCode, message: string, options: TrackerErrorOptions = {}) {
    super(code, message, options)
    this.isTransient = options.isTransient ?? false
    this.effect = options.effect ?? 'none'
    this.trackerCode = options.trackerCode ?? ''
  }
}

/** The error for a caller that has left or whose own time limit has passed. */
export function createInterruptedError(signal: AbortSignal, effect: RequestEffect): TrackerError {
  const reason: unknown = signal.reason
  if (reason instanceof StudioError) {
    return new TrackerError(reason.code, reason.message, { hint: reason.hint ?? undefined, effect, cause: reason })
  }
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new TrackerError('tracker_timeout', 'The tracker took longer than this call allows.', { effect })
  }
  return new TrackerError('interrupted', 'Interrupted while waiting for the tracker.', { effect })
}

export class ResponseTooLargeError extends TrackerError {
  constructor(limitBytes: number) {
    super('tracker_answer', `The tracker's response is larger than ${Math.floor(limitBytes / 1024 / 1024)} MiB.`, {
      effect: 'unknown',
    })
  }
}

/** Whether the tracker was reached but did not provide this one thing, so the caller can do without it. */
export function isRefusal(error: unknown): error is TrackerError {
  return error instanceof TrackerError && ['tracker_forbidden', 'not_found', 'tracker_answer'].includes(error.code)
}

/** Whether the tracker will refuse the same request every time. */
export function isPermanentRefusal(error: unknown): error is TrackerError {
  return isRefusal(error) && error.code !== 'tracker_answer'
}
