import type { Part } from './part'

/** So many segments of about one size become one: a document is written again each time the index has grown so many times. */
const FACTOR = 8
/** A merge that a writer has to wait for makes a segment of at most so many documents. */
const MOST_MERGED = 8_192

/** Which parts should go into a new segment of `fresh` documents. */
export function chooseMerge(parts: readonly Part[], fresh: number): Set<Part> {
  const chosen = new Set<Part>()
  let size = fresh
  for (;;) {
    const tier = tierOf(size)
    const equals = parts.filter((part) => !chosen.has(part) && tierOf(liveIn(part)) <= tier)
    const sum = equals.reduce((total, part) => total + liveIn(part), size)
    if (equals.length < FACTOR - 1 || sum > MOST_MERGED) return chosen
    for (const part of equals) chosen.add(part)
    size = sum
  }
}

function liveIn({ segment, deleted }: Part): number {
  return segment.documents - deleted.count
}

function tierOf(documents: number): number {
  return Math.floor(Math.log(Math.max(1, documents)) / Math.log(FACTOR))
}
