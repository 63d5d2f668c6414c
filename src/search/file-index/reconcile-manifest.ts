import { setImmediate } from 'node:timers/promises'
import type { Searchable, SearchableStamp } from '../../items'
import type { Context } from '../../kernel'
import { getLogPosition, type ReadTx } from '../../storage'
import type { TokenStemmer } from '../rules/stem'
import { compareByNewest } from '../services/entity'
import { findSearchables, listSearchableStamps } from '../services/find-searchables'
import {
  computeFingerprint,
  type EntityRef,
  listLiveEntities,
  SegmentBatch,
  toEntityRef,
  toPendingDocument,
} from './apply-changes'
import { type IndexFolder, type Manifest, type ManifestVersion, NO_ENTITIES } from './index-folder'

/** How many rows are in memory at a time. */
const BATCH_SIZE = 500
/** Others of this process go on in between: searches, and the heartbeat of its write lock. */
const ENTITIES_BETWEEN_PAUSES = 25

interface ReconcileOptions {
  folder: IndexFolder
  /** What is right of it stays. Without a manifest all is made anew. */
  base: ManifestVersion
  termsOf: TokenStemmer
  now: string
}

/**
 * The index as the rows say that it should be: what has changed since it was written becomes new segments. Reads every row, in the order
 * in which equals are shown, and keeps no more than a few hundred of them.
 */
export async function reconcileManifest(
  tx: ReadTx,
  { folder, base, termsOf, now }: ReconcileOptions,
  { progress, signal }: Pick<Context, 'progress' | 'signal'>,
): Promise<Manifest> {
  const parts = folder.openSegments(base)
  const before = listLiveEntities(parts)
  const stamps = (await listSearchableStamps(tx)).sort(compareByNewest)
  const entities = { ...NO_ENTITIES }
  const lot = new SegmentBatch(folder, termsOf)
  let looked = 0
  try {
    for (let done = 0; done < stamps.length; done += BATCH_SIZE) {
      progress({ label: 'indexing', done, total: stamps.length })
      signal.throwIfAborted()
      for (const searchable of await searchablesOf(tx, stamps.slice(done, done + BATCH_SIZE))) {
        entities[searchable.type] += 1
        const fingerprint = computeFingerprint(searchable)
        const known = before.get(toEntityRef(searchable))
        if (known?.place.fingerprint.equals(fingerprint)) before.delete(toEntityRef(searchable))
        else lot.add(toPendingDocument(searchable, fingerprint))
        if (++looked % ENTITIES_BETWEEN_PAUSES === 0) await setImmediate()
      }
    }
    const fresh = lot.finish()
    const gone = parts.map((): number[] => [])
    for (const { part, place } of before.values()) gone[part]!.push(place.document)
    const kept = parts.flatMap(({ segment, deleted }, i) => {
      const left = deleted.with(gone[i]!)
      if (left.count === segment.documents) return []
      return [{ ...base.manifest!.segments[i]!, deleted: left.encode() }]
    })
    return { position: getLogPosition(tx), indexedAt: now, entities, segments: [...kept, ...fresh] }
  } catch (error) {
    lot.abandon()
    throw error
  }
}

/** In the order of the stamps. */
async function searchablesOf(tx: ReadTx, stamps: readonly SearchableStamp[]): Promise<Searchable[]> {
  const found = new Map<EntityRef, Searchable>()
  for (const type of ['devops', 'draft', 'folder'] as const) {
    const ids = stamps.filter((stamp) => stamp.type === type).map(({ id }) => id)
    for (const searchable of await findSearchables(tx, type, ids)) found.set(toEntityRef(searchable), searchable)
  }
  return stamps.flatMap((stamp) => found.get(toEntityRef(stamp)) ?? [])
}
