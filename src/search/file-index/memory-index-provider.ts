import { readWorkspaceVersion } from '../../items'
import type { Context } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { Database, StorageContext } from '../../storage'
import { createTokenStemmer } from '../rules/stem'
import type { SearchIndexProvider } from '../services/search-index'
import { SingleFlight } from '../services/single-flight'
import { FileIndex, statsOf } from './file-index'
import { IndexFolder, type Manifest, type ManifestVersion, type SegmentEntry } from './index-folder'
import { createMemoryDisk } from './memory-disk'
import { reconcileManifest } from './reconcile-manifest'
import type { LiveSegment } from './segment'

type Call = Context & StorageContext

/** Each update adds a segment. With more, the index is built anew. */
const MAX_SEGMENTS = 8

/** Indexes in memory: for databases without a file, and where the files of an index cannot be written. */
export function createMemoryIndexProvider(): SearchIndexProvider {
  const indexes = new WeakMap<Database, MemoryIndex>()
  const indexOf = (db: Database) => {
    const known = indexes.get(db) ?? new MemoryIndex()
    indexes.set(db, known)
    return known
  }
  const stats = async (ctx: Call) => {
    const index = indexOf(ctx.db)
    return statsOf(await index.update(ctx), index.open(), 'memory')
  }
  return {
    async current(ctx) {
      const index = indexOf(ctx.db)
      await index.update(ctx)
      return {
        search: (query, options) => new FileIndex(index.open()).search(query, options),
        knownValues: (qualifier) => new FileIndex(index.open()).knownValues(qualifier),
      }
    },
    stats,
    async rebuild(ctx) {
      indexes.delete(ctx.db)
      return stats(ctx)
    },
    close() {},
  }
}

/** The segments of one database, and the version of the workspace that they reflect. */
class MemoryIndex {
  readonly #folder = new IndexFolder('', createMemoryDisk())
  readonly #updates = new SingleFlight<void>()
  readonly #stemToken = createTokenStemmer()
  #version: number | null = null
  #state: ManifestVersion = { manifest: null, stamp: '' }

  /** The segments of the last update. The next one may close them, except for a search that has begun. */
  open(): LiveSegment[] {
    return this.#folder.openSegments(this.#state)
  }

  /** A running update may lack changes that were acknowledged before the call: then the next one counts. */
  async update(ctx: Call): Promise<Manifest> {
    for (let run = 1; ; run++) {
      if ((await ctx.db.read(readWorkspaceVersion)) === this.#version) break
      const joins = this.#updates.isRunning
      await this.#updates.join(ctx.signal, (signal) => this.#reconcile({ ...ctx, signal }))
      if (!joins || run === 2) break
    }
    return this.#state.manifest!
  }

  async #reconcile(ctx: Call): Promise<void> {
    const old = this.#state.manifest?.segments ?? []
    const base = old.length < MAX_SEGMENTS ? this.#state : { ...this.#state, manifest: null }
    const now = formatInstant(ctx.clock.now())
    let made: readonly SegmentEntry[] = []
    const [version, manifest] = await ctx.db.read(async (tx) => {
      // A read that others overtake runs again.
      this.#discardAllBut(old, made)
      const read = await readWorkspaceVersion(tx)
      const built = await reconcileManifest(tx, { folder: this.#folder, base, stemToken: this.#stemToken, now }, ctx)
      made = built.segments
      return [read, built] as const
    })
    ;[this.#version, this.#state] = [version, { manifest, stamp: '' }]
    this.#discardAllBut(manifest.segments, old)
  }

  #discardAllBut(retained: readonly SegmentEntry[], segments: readonly SegmentEntry[]): void {
    const names = new Set(retained.map(({ name }) => name))
    for (const { name } of segments) if (!names.has(name)) this.#folder.discard(name)
  }
}
