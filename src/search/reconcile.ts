import type { Searchable, SearchableStamp } from '../items'
import type { Context } from '../kernel'
import { getLogPosition, type ReadTx } from '../storage'
import { newerFirst } from './entity'
import { liveEntities } from './index-file/increment'
import type { Base, IndexFolder } from './index-file/index-folder'
import { Lot, type Ref, refOf } from './index-file/lot'
import { type Manifest, NO_ENTITIES } from './index-file/manifest'
import { fingerprintOf, freshOf } from './prepare'
import { findSearchables, listSearchableStamps } from './searchables'
import type { TermsOf } from './terms-of'

/** How many rows are in memory at a time. */
const AT_ONCE = 500

export interface Reconciling {
  folder: IndexFolder
  /** What is right of it stays. Without a manifest all is made anew. */
  base: Base
  termsOf: TermsOf
  now: string
}

/**
 * The index as the rows say that it should be: what has changed since it was written becomes new segments. Reads every row, in the order
 * in which equals are shown, and keeps no more than a few hundred of them.
 */
export async function reconciled(
  tx: ReadTx,
  { folder, base, termsOf, now }: Reconciling,
  { progress, signal }: Pick<Context, 'progress' | 'signal'>,
): Promise<Manifest> {
  const parts = folder.parts(base)
  const before = liveEntities(parts)
  const stamps = (await listSearchableStamps(tx)).sort(newerFirst)
  const entities = { ...NO_ENTITIES }
  const lot = new Lot(folder, termsOf)
  try {
    for (let done = 0; done < stamps.length; done += AT_ONCE) {
      progress({ label: 'indexing', done, total: stamps.length })
      signal.throwIfAborted()
      for (const searchable of await searchablesOf(tx, stamps.slice(done, done + AT_ONCE))) {
        entities[searchable.type] += 1
        const fingerprint = fingerprintOf(searchable)
        const known = before.get(refOf(searchable))
        if (known?.place.fingerprint.equals(fingerprint)) before.delete(refOf(searchable))
        else lot.add(freshOf(searchable, fingerprint))
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
  const found = new Map<Ref, Searchable>()
  for (const type of ['devops', 'draft', 'folder'] as const) {
    const ids = stamps.filter((stamp) => stamp.type === type).map(({ id }) => id)
    for (const searchable of await findSearchables(tx, type, ids)) found.set(refOf(searchable), searchable)
  }
  return stamps.flatMap((stamp) => found.get(refOf(stamp)) ?? [])
}
