/** The name of the default tracker where one is asked for or shown. */
export const DEFAULT_TRACKER_NAME = 'default'

/** The name of the tracker that an item is from. A reference without a colon, or none, is of the default tracker. */
export function getTrackerName(reference: string | null): string {
  const at = reference?.indexOf(':') ?? -1
  return at > 0 ? reference!.slice(0, at) : DEFAULT_TRACKER_NAME
}

/** How an item is typed as an argument: without the `#` that begins a comment in a shell. */
export function toArgument(reference: string): string {
  return reference.replace(/^#/, '')
}

/** `The work items of gh`; those of the default tracker have no name. */
export function describeItemsOf(tracker: string): string {
  return tracker === DEFAULT_TRACKER_NAME ? 'The work items' : `The work items of ${tracker}`
}
