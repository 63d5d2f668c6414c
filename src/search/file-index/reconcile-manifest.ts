import type { Searchable, SearchableStamp } from '../../items'
import { type Context, checkpoint } from '../../kernel'
import { getLogPosition, type ReadTx } from '../../storage'
import type { TokenStemmer } from '../rules/stem'
import { TYPES } from '../services/entity'
import { findSearchables, listSearchableStamps, toEntity } from '../services/find-searchables'
import { type EntityRef, toEntityRef } from '../services/search-index'
import { listLiveEntities } from './apply-changes'
import { type IndexFolder, type Manifest, type ManifestVersion, NO_ENTITIES } from './index-folder'
import { computeFingerprint, SegmentBatch } from './segment-batch'

/** How many rows are in memory at a time. */
const BATCH_SIZE = 500

interface ReconcileOptions {
  folder: IndexFolder
  /** Its unchanged documents are reused. Without a manifest, the whole index is rebuilt. */
  base: ManifestVersion
  stemToken: TokenStemmer
  now: string
}

/**
 * Makes the index match the rows: changes since it was written become new segments. Reads all rows in batches.
 */
export async function reconcileManifest(
  tx: ReadTx,
  { folder, base, stemToken, now }: ReconcileOptions,
  { progress, signal }: Pick<Context, 'progress' | 'signal'>,
): Promise<Manifest> {
  const parts = folder.openSegments(base)
  const before = listLiveEntities(parts)
  const stamps = await listSearchableStamps(tx)
  const entities = { ...NO_ENTITIES }
  const batch = new SegmentBatch(folder, stemToken)
  try {
    for (let done = 0; done < stamps.length; done += BATCH_SIZE) {
      progress({ label: 'indexing', done, total: stamps.length })
      signal.throwIfAborted()
      for (const searchable of await searchablesOf(tx, stamps.slice(done, done + BATCH_SIZE))) {
        entities[searchable.type] += 1
        const fingerprint = computeFingerprint(searchable)
        const known = before.get(toEntityRef(searchable))
        if (known?.place.fingerprint.equals(fingerprint)) before.delete(toEntityRef(searchable))
        else await batch.addEntity(toEntity(searchable), fingerprint)
        // Other searches and the heartbeat of the write lock run in between.
        await checkpoint({ signal })
      }
    }
    const added = await batch.finish()
    const removed = parts.map((): number[] => [])
    for (const { part, place } of before.values()) removed[part]!.push(place.document)
    const retained = parts.flatMap(({ segment, deleted }, i) => {
      const remaining = deleted.with(removed[i]!)
      if (remaining.count === segment.documents) return []
      return [{ ...base.manifest!.segments[i]!, deleted: remaining.encode() }]
    })
    return { position: getLogPosition(tx), indexedAt: now, entities, segments: [...retained, ...added] }
  } catch (error) {
    await batch.abandon()
    throw error
  }
}

/** The searchables in the order of the stamps. */
async function searchablesOf(tx: ReadTx, stamps: readonly SearchableStamp[]): Promise<Searchable[]> {
  const found = new Map<EntityRef, Searchable>()
  for (const type of TYPES) {
    const ids = stamps.filter((stamp) => stamp.type === type).map(({ id }) => id)
    for (const searchable of await findSearchables(tx, type, ids)) found.set(toEntityRef(searchable), searchable)
  }
  return stamps.flatMap((stamp) => found.get(toEntityRef(stamp)) ?? [])
}
