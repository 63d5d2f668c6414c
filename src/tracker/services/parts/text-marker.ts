import { MINUTE_MS } from '../../../kernel/time'
import type { MarkerRemoval, NewItem, TrackerItem } from '../../tracker'
import { type ChangeResult, MARKER_STAYS, nullOnTrackerError } from '../change-result'

/** How far the clocks may differ: an item that was created this long before it was sent is still found by its marker. */
const CLOCK_TOLERANCE_MS = 10 * MINUTE_MS

/** A comment of HTML in a Markdown text, which the tracker does not show. */
const formatMarker = (marker: string) => `<!-- studio: ${marker} -->`

export function addMarker(text: unknown, marker: string): string {
  return [text, formatMarker(marker)].filter(Boolean).join('\n\n')
}

/** Finds the item with a marker among the newest, back to the time of its creation. The searches of trackers find new items late. */
export async function findMarked<Wire extends { createdAt: string }>(
  pages: AsyncIterable<readonly Wire[]>,
  { marker, startedAt }: Pick<NewItem, 'marker' | 'startedAt'>,
  textOf: (wire: Wire) => string | null | undefined,
  clock: { toTrackerTime(at: number): number | null },
): Promise<Wire | null> {
  const since = (clock.toTrackerTime(startedAt) ?? startedAt) - CLOCK_TOLERANCE_MS
  for await (const newest of pages) {
    const found = newest.find((wire) => textOf(wire)?.includes(formatMarker(marker)))
    if (found) return found
    if (newest.some(({ createdAt }) => Date.parse(createdAt) < since)) return null
  }
  return null
}

/** Removes the marker of an item. It is not visible on the page of the item, so that it may stay. `write` returns the changed item. */
export async function removeTextMarker(
  marker: string,
  read: () => Promise<string | null | undefined>,
  write: (text: string) => Promise<ChangeResult<TrackerItem | null>>,
): Promise<MarkerRemoval> {
  const remove = async (): Promise<MarkerRemoval> => {
    const text = await read()
    if (!text?.includes(formatMarker(marker))) return { isGone: true, item: null }
    const sent = await write(text.replace(formatMarker(marker), '').trimEnd())
    return sent.kind === 'done' ? { isGone: true, item: sent.data } : MARKER_STAYS
  }
  return (await nullOnTrackerError(remove())) ?? MARKER_STAYS
}
