import type { RequestLimits } from './rate-limiter'

/** The caller's signal. If it is aborted, a grace period remains to determine the outcome of the changes. */
export function createVerificationSignal(signal: AbortSignal, limits: RequestLimits): AbortSignal {
  return signal.aborted ? AbortSignal.timeout(limits.gracePeriodMs) : signal
}
