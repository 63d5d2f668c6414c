import { type EntityRef, parseEntityRef, toEntityRef } from '../services/search-index'
import { type IndexFolder, type Manifest, type ManifestVersion, NO_ENTITIES, type SegmentEntry } from './index-folder'
import { chooseSegmentsToMerge } from './merge-policy'
import { DeletedDocuments, type DocumentLocation, type LiveSegment } from './segment'
import type { SegmentSink } from './segment-batch'

/** By entity, whether it still exists. What was added or changed is in the sink. */
export type Changes = ReadonlyMap<EntityRef, boolean>

/**
 * Applies changes to the index: what is in the sink becomes new segments, and the previous documents are marked as deleted. If there are many
 * small segments of about the same size, they are merged into the new one. Other segments stay as they are.
 */
export async function applyChanges(
  folder: IndexFolder,
  base: ManifestVersion,
  { changes, sink }: { changes: Changes; sink: SegmentSink },
): Promise<Pick<Manifest, 'segments' | 'entities'>> {
  const parts = folder.openSegments(base)
  const entities = { ...(base.manifest?.entities ?? NO_ENTITIES) }
  const removed = parts.map((): number[] => [])
  let added = 0
  for (const [ref, exists] of changes) {
    const before = findLive(parts, ref)
    if (before) removed[before.part]!.push(before.place.document)
    if (exists) added += 1
    entities[parseEntityRef(ref).type] += (exists ? 1 : 0) - (before ? 1 : 0)
  }
  const left = parts.map(({ segment, deleted }, i): LiveSegment => ({ segment, deleted: deleted.with(removed[i]!) }))
  const entryOf = (part: LiveSegment): SegmentEntry => ({
    ...base.manifest!.segments[left.indexOf(part)]!,
    deleted: part.deleted.encode(),
  })
  const merged = added === 0 ? [] : chooseSegmentsToMerge(left, added)
  await sink.merge(merged.map(entryOf))
  const written = await sink.finish()
  const kept = left.filter((part) => !merged.includes(part) && part.deleted.count < part.segment.documents)
  return { segments: [...kept.map(entryOf), ...written], entities }
}

/** Puts merged segments in the place of those that they were made of. What was deleted meanwhile is deleted in them, too. */
export function replaceMerged(
  folder: IndexFolder,
  merged: readonly SegmentEntry[],
  written: readonly SegmentEntry[],
): void {
  let isReplaced = false
  try {
    const base = folder.readIgnoringDamage()
    const segments = listAfterMerge(folder, base, { merged, written })
    isReplaced = segments !== null && folder.replace(base, { ...base.manifest!, segments })
  } finally {
    if (!isReplaced) for (const { name } of written) folder.discard(name)
  }
}

/** Null if the merged segments have been replaced meanwhile. */
function listAfterMerge(
  folder: IndexFolder,
  { manifest }: ManifestVersion,
  { merged, written }: { merged: readonly SegmentEntry[]; written: readonly SegmentEntry[] },
): SegmentEntry[] | null {
  const known = new Map(manifest?.segments.map((entry) => [entry.name, entry]))
  if (!merged.every(({ name }) => known.has(name))) return null
  const parts = folder.openEntries(written)
  const gone = written.map((): number[] => [])
  const now = folder.openEntries(merged.map(({ name }) => known.get(name)!))
  for (const [i, { segment, deleted }] of now.entries()) {
    const before = DeletedDocuments.decode(merged[i]!.deleted)
    for (let document = 0; document < segment.documents; document++) {
      if (!deleted.has(document) || before.has(document)) continue
      const found = findLive(parts, toEntityRef(segment.record(document)))
      if (found) gone[found.part]!.push(found.place.document)
    }
  }
  const others = manifest!.segments.filter(({ name }) => !merged.some((entry) => entry.name === name))
  const added = written.map((entry, i) => ({ ...entry, deleted: parts[i]!.deleted.with(gone[i]!).encode() }))
  return [...others, ...added]
}

export interface LiveLocation {
  part: number
  place: DocumentLocation
}

export function findLive(parts: readonly LiveSegment[], ref: EntityRef): LiveLocation | null {
  const { type, id } = parseEntityRef(ref)
  for (let part = parts.length - 1; part >= 0; part--) {
    const { segment, deleted } = parts[part]!
    const place = segment.locate(type, id)
    if (place && !deleted.has(place.document)) return { part, place }
  }
  return null
}

/** All entities of the segments, with their locations. */
export function listLiveEntities(parts: readonly LiveSegment[]): Map<EntityRef, LiveLocation> {
  const live = new Map<EntityRef, LiveLocation>()
  for (const [part, { segment, deleted }] of parts.entries()) {
    for (const [entity, place] of segment.locations()) {
      if (!deleted.has(place.document)) live.set(entity as EntityRef, { part, place })
    }
  }
  return live
}
