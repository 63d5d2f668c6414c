import type { LiveSegment } from './live-segment'

/** So many segments of about one size become one: a document is written again each time the index has grown so many times. */
const MERGE_FACTOR = 8
/** A merge that a writer has to wait for makes a segment of at most so many documents. */
const MAX_MERGED_DOCUMENTS = 8_192

/** Which parts should go into a new segment of `fresh` documents. */
export function chooseSegmentsToMerge(parts: readonly LiveSegment[], fresh: number): Set<LiveSegment> {
  const chosen = new Set<LiveSegment>()
  let size = fresh
  for (;;) {
    const tier = tierOf(size)
    const equals = parts.filter((part) => !chosen.has(part) && tierOf(countLive(part)) <= tier)
    const sum = equals.reduce((total, part) => total + countLive(part), size)
    if (equals.length < MERGE_FACTOR - 1 || sum > MAX_MERGED_DOCUMENTS) return chosen
    for (const part of equals) chosen.add(part)
    size = sum
  }
}

function countLive({ segment, deleted }: LiveSegment): number {
  return segment.documents - deleted.count
}

function tierOf(documents: number): number {
  return Math.floor(Math.log(Math.max(1, documents)) / Math.log(MERGE_FACTOR))
}
