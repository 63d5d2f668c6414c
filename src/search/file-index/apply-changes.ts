import type { TokenStemmer } from '../rules/stem'
import { compareByNewest } from '../services/entity'
import type { IndexFolder, ManifestVersion } from './index-folder'
import { type Manifest, NO_ENTITIES } from './manifest'
import type { DocumentLocation, LiveSegment } from './segment'
import { type EntityRef, type PendingDocument, SegmentBatch, typeOfRef } from './segment-batch'

/** What has become of some entities: what they are now, or that they are gone. */
export type Changes = ReadonlyMap<EntityRef, PendingDocument | null>

/**
 * The index with the changes in it: their entities as a new segment, what they were before deleted from the others. Small
 * segments go into the new one as soon as there are many of a size. What nothing has changed for stays as it is.
 */
export function applyChanges(
  folder: IndexFolder,
  base: ManifestVersion,
  { changes, termsOf }: { changes: Changes; termsOf: TokenStemmer },
): Pick<Manifest, 'segments' | 'entities'> {
  const { manifest } = base
  const parts = folder.openSegments(base)
  const entities = { ...(manifest?.entities ?? NO_ENTITIES) }
  const gone = parts.map((): number[] => [])
  const fresh: PendingDocument[] = []
  for (const [ref, now] of changes) {
    const before = findLive(parts, ref)
    if (now && before?.place.fingerprint.equals(now.fingerprint)) continue
    if (before) gone[before.part]!.push(before.place.document)
    if (now) fresh.push(now)
    entities[typeOfRef(ref)] += (now ? 1 : 0) - (before ? 1 : 0)
  }
  const left = parts.map(({ segment, deleted }, i) => ({ segment, deleted: deleted.with(gone[i]!) }))
  const merged = fresh.length === 0 ? new Set<LiveSegment>() : chooseSegmentsToMerge(left, fresh.length)
  const lot = new SegmentBatch(folder, termsOf)
  try {
    const together = [...fresh, ...[...merged].flatMap(listLiveDocuments)]
    for (const one of together.sort((a, b) => compareByNewest(a.entity, b.entity))) lot.add(one)
    const kept = left.flatMap((part, i) => {
      if (merged.has(part) || part.deleted.count === part.segment.documents) return []
      return [{ ...manifest!.segments[i]!, deleted: part.deleted.encode() }]
    })
    return { segments: [...kept, ...lot.finish()], entities }
  } catch (error) {
    lot.abandon()
    throw error
  }
}

function findLive(parts: readonly LiveSegment[], ref: EntityRef): { part: number; place: DocumentLocation } | null {
  const id = Number(ref.slice(ref.indexOf(':') + 1))
  for (let part = parts.length - 1; part >= 0; part--) {
    const { segment, deleted } = parts[part]!
    const place = segment.locate(typeOfRef(ref), id)
    if (place && !deleted.has(place.document)) return { part, place }
  }
  return null
}

function listLiveDocuments({ segment, deleted }: LiveSegment): PendingDocument[] {
  return [...segment.locations()]
    .filter(([, { document }]) => !deleted.has(document))
    .map(([, { document, fingerprint }]) => ({
      entity: segment.record(document),
      fingerprint: Buffer.from(fingerprint),
    }))
}

/** Every entity that the parts hold, and where. */
export function listLiveEntities(
  parts: readonly LiveSegment[],
): Map<EntityRef, { part: number; place: DocumentLocation }> {
  const live = new Map<EntityRef, { part: number; place: DocumentLocation }>()
  for (const [part, { segment, deleted }] of parts.entries()) {
    for (const [entity, place] of segment.locations()) {
      if (!deleted.has(place.document)) live.set(entity as EntityRef, { part, place })
    }
  }
  return live
}

/** So many segments of about one size become one: a document is written again each time the index has grown so many times. */
const MERGE_FACTOR = 8
/** A merge that a writer has to wait for makes a segment of at most so many documents. */
const MAX_MERGED_DOCUMENTS = 8_192

/** Which parts should go into a new segment of `fresh` documents. */
function chooseSegmentsToMerge(parts: readonly LiveSegment[], fresh: number): Set<LiveSegment> {
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
