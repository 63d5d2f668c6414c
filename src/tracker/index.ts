/** Opens the configured tracker. The first request is sent with the first call. */
export { openTracker } from './open-tracker'
export {
  type Capability,
  getCapabilities,
  isOffered,
  type TrackerCapabilities,
} from './services/capabilities'
export type { ProxySettings } from './services/http-client'
export { inspectTracker } from './services/inspect-tracker'
export { listTreeLinks } from './services/list-tree-links'
export { detectTrackerKind, TRACKER_KINDS, type TrackerKind, trackerProducts } from './services/tracker-kind'
export type { TrackerSettings } from './services/tracker-settings'
export type * from './tracker'
export { type IdTranslation, translateIds } from './translate-ids'
