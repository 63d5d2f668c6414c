/** Opens the configured tracker. The first request is sent with the first call. */

export { detectTrackerKind, getAdapter, TRACKER_KINDS, type TrackerKind } from './adapters'
export { openTracker } from './open-tracker'
export type { AdapterDescription, TrackerCapabilities } from './services/adapter'
export { type Capability, getCapabilities, isOffered } from './services/capabilities'
export { inspectTracker } from './services/inspect-tracker'
export { listTreeLinks } from './services/list-tree-links'
export { isBadRequest } from './services/requests/tracker-error'
export { hasToken, type TrackerSettings } from './services/tracker-settings'
export type * from './tracker'
export { type IdTranslation, translateIds } from './translate-ids'
