import { countLive, type LiveSegment } from './segment'

/** How many segments of about the same size become one. An entity is indexed again each time the index grows by this factor. */
const MERGE_FACTOR = 4
/** A writer waits for a merge of at most so many entities. */
const MAX_MERGED_BY_WRITER = 4_096
/** Larger segments stay as they are: they are nearly as large as a segment can be. */
const MAX_MERGEABLE = 49_152

/**
 * The segments to merge with `added` new entities, so that their number grows with the logarithm of the number of entities. A writer that
 * adds many waits for a merge of some times as many.
 */
export function chooseSegmentsToMerge(parts: readonly LiveSegment[], added: number): LiveSegment[] {
  const most = Math.max(MAX_MERGED_BY_WRITER, MERGE_FACTOR * added)
  const sizes = new Map(parts.map((part) => [part, countLive(part)]))
  const mergeable = parts.filter((part) => sizes.get(part)! <= MAX_MERGEABLE)
  let chosen: LiveSegment[] = []
  let size = added
  for (;;) {
    const tier = tierOf(size)
    const similar = mergeable.filter((part) => tierOf(sizes.get(part)!) <= tier)
    const sum = similar.reduce((total, part) => total + sizes.get(part)!, added)
    if (similar.length < MERGE_FACTOR - 1 || similar.length === chosen.length || sum > most) return chosen
    chosen = similar
    size = sum
  }
}

/** The segments that a writer has not merged because it would have waited for too long. Empty if they are few. */
export function chooseLargeMerge(parts: readonly LiveSegment[]): LiveSegment[] {
  const mergeable = parts.filter((part) => countLive(part) <= MAX_MERGEABLE)
  const tiers = new Map(mergeable.map((part) => [part, tierOf(countLive(part))]))
  const due = [...tiers.values()].filter(
    (tier) => mergeable.filter((part) => tiers.get(part) === tier).length >= MERGE_FACTOR,
  )
  return due.length === 0 ? [] : mergeable.filter((part) => tiers.get(part)! <= Math.max(...due))
}

function tierOf(entities: number): number {
  return Math.floor(Math.log(Math.max(1, entities)) / Math.log(MERGE_FACTOR))
}
