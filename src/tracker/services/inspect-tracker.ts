import { hint, StudioError, suggest } from '../../kernel'
import { type Finding, ok, problem, warning } from '../../storage'
import { detectTrackerKind, getAdapter, type TrackerKind } from '../adapters'
import type { Tracker } from '../tracker'

interface TrackerInspection {
  /** The name of a further tracker; null for the default one. */
  name: string | null
  /** Null if the address decides. */
  kind: TrackerKind | null
  /** The configured address without credentials; null if the sandbox is used instead. */
  address: string | null
  hasToken: boolean
  tracker(): Promise<Tracker>
  offline: boolean
  /** For the whole check, in milliseconds. */
  timeoutMs: number
}

/** A larger difference makes comparisons by time unreliable. */
const MAX_CLOCK_SKEW_MS = 2 * 60_000

/** Checks a tracker, its token and its clock for `studio doctor`. The token is never shown. */
export async function inspectTracker(check: TrackerInspection): Promise<Finding[]> {
  const findings = await inspectConnection(check)
  if (check.name === null) return findings
  // A further tracker has one finding, unless its clock differs.
  const [connection, ...clocks] = findings
  return [connection!, ...clocks.filter(({ level }) => level !== 'ok')].map((finding) => ({
    ...finding,
    message: `${check.name}: ${finding.message}`,
  }))
}

async function inspectConnection(check: TrackerInspection): Promise<Finding[]> {
  const { address, hasToken, offline, timeoutMs: limitMs } = check
  if (address === null) return [ok('tracker', 'None is set (STUDIO_TRACKER_URL): the sandbox on this machine is used.')]
  const product = getAdapter(check.kind ?? detectTrackerKind(address)).product
  if (offline)
    return [
      ok(
        'tracker',
        `${product} at ${address}, ${hasToken ? 'with a token' : 'without a token'}; not checked (--offline).`,
      ),
    ]
  const signal = AbortSignal.timeout(limitMs)
  try {
    const { project, aheadMs } = await (await check.tracker()).probe(signal)
    const finding = ok(
      'tracker',
      `${product} at ${address} responds, project ${project}${hasToken ? ', token accepted' : ', no token required'}.`,
    )
    return aheadMs === null ? [finding] : [finding, checkClock(aheadMs)]
  } catch (error) {
    if (!(error instanceof StudioError)) throw error
    if (signal.aborted) {
      const message = `${address} does not respond within ${limitMs / 1000} s.`
      return [
        problem(
          'tracker',
          message,
          hint`Check the address and the network. To check everything else: ${suggest('system.doctor', { offline: true })}`,
        ),
      ]
    }
    const about = error.code === 'tracker_token' || error.code === 'tracker_forbidden' ? 'token' : 'tracker'
    return [problem(about, error.message, error.hint ?? 'See: studio config list --sources')]
  }
}

function checkClock(aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (Math.abs(aheadMs) <= MAX_CLOCK_SKEW_MS) return ok('clock', 'It agrees with the clock of the tracker.')
  return warning(
    'clock',
    `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the tracker's.`,
    'Synchronize it with a time server; on Linux: timedatectl set-ntp true',
  )
}
