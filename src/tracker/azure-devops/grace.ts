import type { Limits } from './limits'

/** The caller's signal while it stands. Once the caller has left, a short time to find out what became of what was sent. */
export function signalForFindingOut(signal: AbortSignal, limits: Limits): AbortSignal {
  return signal.aborted ? AbortSignal.timeout(limits.graceMs) : signal
}
