import { newerFirst } from '../entity'
import type { TermsOf } from '../terms-of'
import type { Base, IndexFolder } from './index-folder'
import { type Fresh, Lot, type Ref, typeOf } from './lot'
import { type Manifest, NO_ENTITIES } from './manifest'
import type { Part } from './part'
import type { Place } from './segment'
import { chooseMerge } from './tiers'

/** What has become of some entities: what they are now, or that they are gone. */
export type Changes = ReadonlyMap<Ref, Fresh | null>

/**
 * The index with the changes in it: their entities as a new segment, what they were before deleted from the others. Small
 * segments go into the new one as soon as there are many of a size. What nothing has changed for stays as it is.
 */
export function withChanges(
  folder: IndexFolder,
  base: Base,
  { changes, termsOf }: { changes: Changes; termsOf: TermsOf },
): Pick<Manifest, 'segments' | 'entities'> {
  const { manifest } = base
  const parts = folder.parts(base)
  const entities = { ...(manifest?.entities ?? NO_ENTITIES) }
  const gone = parts.map((): number[] => [])
  const fresh: Fresh[] = []
  for (const [ref, now] of changes) {
    const before = findLive(parts, ref)
    if (now && before?.place.fingerprint.equals(now.fingerprint)) continue
    if (before) gone[before.part]!.push(before.place.document)
    if (now) fresh.push(now)
    entities[typeOf(ref)] += (now ? 1 : 0) - (before ? 1 : 0)
  }
  const left = parts.map(({ segment, deleted }, i) => ({ segment, deleted: deleted.with(gone[i]!) }))
  const merged = fresh.length === 0 ? new Set<Part>() : chooseMerge(left, fresh.length)
  const lot = new Lot(folder, termsOf)
  try {
    const together = [...fresh, ...[...merged].flatMap(liveOf)]
    for (const one of together.sort((a, b) => newerFirst(a.entity, b.entity))) lot.add(one)
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

function findLive(parts: readonly Part[], ref: Ref): { part: number; place: Place } | null {
  const id = Number(ref.slice(ref.indexOf(':') + 1))
  for (let part = parts.length - 1; part >= 0; part--) {
    const { segment, deleted } = parts[part]!
    const place = segment.place(typeOf(ref), id)
    if (place && !deleted.has(place.document)) return { part, place }
  }
  return null
}

function liveOf({ segment, deleted }: Part): Fresh[] {
  return [...segment.places()]
    .filter(([, { document }]) => !deleted.has(document))
    .map(([, { document, fingerprint }]) => ({
      entity: segment.record(document),
      fingerprint: Buffer.from(fingerprint),
    }))
}

/** Every entity that the parts hold, and where. */
export function liveEntities(parts: readonly Part[]): Map<Ref, { part: number; place: Place }> {
  const live = new Map<Ref, { part: number; place: Place }>()
  for (const [part, { segment, deleted }] of parts.entries()) {
    for (const [entity, place] of segment.places()) {
      if (!deleted.has(place.document)) live.set(entity as Ref, { part, place })
    }
  }
  return live
}
