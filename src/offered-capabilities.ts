import type { Settings } from './config'
import type { OffersCapability } from './kernel'
import { detectTrackerKind } from './tracker/adapters'
import { isOffered } from './tracker/services/capabilities'

/** Whether a tracker of the settings has a capability, decided without calling one. The sandbox is of the first kind. */
export function createCapabilityTest({ tracker, trackers }: Pick<Settings, 'tracker' | 'trackers'>): OffersCapability {
  const kinds = [tracker, ...trackers].map(({ kind, url }) => kind ?? detectTrackerKind(url ?? ''))
  return (capability) => isOffered(capability, kinds)
}
