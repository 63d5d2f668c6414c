import type { ErrorDetail } from '../../../kernel'
import type { LinkKind, Tracker } from '../../../tracker'
import { getAdapter } from '../../../tracker/adapters'
import { LINK_NAMES } from '../../rules/link-updates'
import { findUnsupportedFields } from '../../rules/unsupported-fields'
import { createUpdateError, type GivenFields } from '../../rules/update-fields'

/** Refuses kinds of links that the tracker does not have, before a request is sent. */
export function requireLinkKinds(tracker: Tracker, kinds: Iterable<LinkKind>): void {
  const { linkKinds } = tracker.capabilities
  const missing = [...new Set(kinds)].filter((kind) => !linkKinds.includes(kind))
  if (missing.length === 0) return
  const message = `is no kind of link of ${describe(tracker)}; use ${linkKinds.join(', ')}`
  throw createUpdateError(missing.map((kind) => ({ path: LINK_NAMES[kind], message })))
}

/** Fields that the tracker does not store or does not let be set. No request is sent. */
export function listUnsupportedFields(tracker: Tracker, given: GivenFields): ErrorDetail[] {
  const message = `cannot be set in ${describe(tracker)}`
  return findUnsupportedFields(given, tracker.capabilities.properties).map((path) => ({ path, message }))
}

/** Refuses changes of tags if the tracker has none, before a request is sent. */
export function requireTags(tracker: Tracker): void {
  if (tracker.capabilities.properties.includes('tags')) return
  throw createUpdateError([{ path: 'tags', message: `cannot be set in ${describe(tracker)}` }])
}

function describe({ kind, name }: Tracker): string {
  return `${getAdapter(kind).product} (${name})`
}
