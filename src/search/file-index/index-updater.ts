import { join } from 'node:path'
import { findThreadFile } from '../../background/thread-file'
import { SEARCHABLE_TABLES, type Searchable, VERSION_TABLE } from '../../items'
import {
  type CommitObserver,
  continuePosition,
  detectChanges,
  type LogPosition,
  type ObservedCommit,
  type ReadTx,
  withFileLock,
} from '../../storage'
import { createTokenStemmer } from '../rules/stem'
import { TYPES } from '../services/entity'
import { findSearchables, listSearchableStamps } from '../services/find-searchables'
import { type EntityRef, toEntityRef } from '../services/search-index'
import { applyChanges, findLive, replaceMerged } from './apply-changes'
import { type IndexFolder, type Manifest, type ManifestVersion, NO_ENTITIES } from './index-folder'
import { chooseLargeMerge } from './merge-policy'
import { reconcileManifest } from './reconcile-manifest'
import { computeFingerprint, SegmentBatch, type SegmentSink } from './segment-batch'

/** If the index is missing or lags, a write updates up to this many entities. The next search updates more. */
const MAX_ENTITIES_INDEXED_IN_WRITE = 5_000

/** After a merge beside the writes has failed, for example because a segment is damaged, the next one waits for so long. */
const MERGE_RETRY_MS = 10 * 60_000

/** The changes of commits that the index does not show yet. */
interface UnfinishedUpdate {
  /** Before the first commit. */
  before: LogPosition
  /** After the last one. */
  after: LogPosition
  /** By the clock of `performance`. */
  startedAt: number
  changes: Map<EntityRef, boolean>
  sink: SegmentSink
  release(): Promise<void>
}

/** A long series is shown in parts. */
const MAX_SERIES_ENTITIES = 16_384
const MAX_SERIES_MS = 30_000

function isLong({ changes, startedAt }: UnfinishedUpdate): boolean {
  return changes.size >= MAX_SERIES_ENTITIES || performance.now() - startedAt > MAX_SERIES_MS
}

/** While it is held, searches of other processes use the index as it is. */
function holdLock({ path }: IndexFolder): () => Promise<void> {
  let release!: () => void
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const held = withFileLock(join(path, 'lock'), () => released, { waitMs: 0 }).catch(() => {})
  return () => {
    release()
    return held
  }
}

/**
 * Updates the index in files with every commit of this process. Errors never fail a commit: the index then lags, which the next search
 * detects by its position and fixes.
 */
export class IndexUpdater implements CommitObserver {
  readonly tables = [...Object.values(SEARCHABLE_TABLES), VERSION_TABLE]
  readonly #database: string
  readonly #folder: IndexFolder
  readonly #now: () => string
  readonly #stemToken = createTokenStemmer()
  #last: Promise<unknown> = Promise.resolve()
  readonly #mergesLater: boolean
  #unfinished: UnfinishedUpdate | null = null
  #isMerging = false
  /** Before that time, as `performance.now` counts, nothing is merged beside the writes. */
  #mergesFrom = 0
  /** The snapshot that a move of the log began with; null if the log is not being moved. */
  #movedFrom: number | null = null

  /**
   * @param database the path of its file.
   * @param mergesLater whether the process runs long enough to merge large segments beside its other work.
   */
  constructor(
    database: string,
    folder: IndexFolder,
    { now, mergesLater = false }: { now: () => string; mergesLater?: boolean },
  ) {
    this.#database = database
    this.#mergesLater = mergesLater
    this.#folder = folder
    this.#now = now
  }

  async committed(commit: ObservedCommit): Promise<void> {
    const { before, after } = commit
    if (before === null || after === null) return
    await this.#runSequentially(async () => {
      try {
        if (commit.changed.get(VERSION_TABLE)!.size > 0) await this.#applyCommit(commit, before, after)
        else if (this.#unfinished) {
          if (this.#follows(this.#unfinished, before)) this.#unfinished.after = after
        } else if (before.segment !== after.segment) this.#advancePosition(before, after)
      } catch {
        await this.#giveUp()
      }
    })
  }

  async settle(): Promise<void> {
    await this.#runSequentially(async () => {
      try {
        await this.#finish()
      } catch {
        await this.#giveUp()
      }
    })
  }

  async relocating(position: () => LogPosition | null, move: () => Promise<void>): Promise<void> {
    await this.settle() // and an update may be between two of its steps
    const from = position()
    const base = this.#folder.readIgnoringDamage()
    const wasCurrent = from !== null && this.#isCurrentAt(base, from)
    this.#movedFrom = from?.snapshot ?? null
    try {
      await move()
      await this.#runSequentially(async () => {
        const to = position()
        if (from !== null && to !== null) this.#relocatePosition(from, to, wasCurrent ? base.stamp : null)
      }).catch(() => {})
    } finally {
      this.#movedFrom = null
    }
  }

  async close(): Promise<void> {
    this.#folder.close()
  }

  async #applyCommit(
    { changed, tx, continues }: ObservedCommit,
    before: LogPosition,
    after: LogPosition,
  ): Promise<void> {
    if (this.#unfinished && !this.#follows(this.#unfinished, before)) await this.#giveUp()
    const base = this.#folder.readIgnoringDamage()
    if (!this.#unfinished) {
      if (!this.#isCurrentAt(base, before)) return this.#catchUp(base, { changed, tx, after })
      this.#unfinished = await this.#begin(before, continues)
    }
    const update = this.#unfinished
    update.after = after
    const parts = this.#folder.openSegments(base)
    for (const type of TYPES) {
      const ids = [...changed.get(SEARCHABLE_TABLES[type])!]
      const found = await findSearchables(tx, type, ids)
      const gone = new Set(ids)
      const added: Searchable[] = []
      for (const one of found) {
        gone.delete(one.id)
        const ref = toEntityRef(one)
        const known = update.changes.has(ref) ? null : findLive(parts, ref)
        if (known?.place.fingerprint.equals(computeFingerprint(one))) continue
        update.changes.set(ref, true)
        added.push(one)
      }
      if (added.length > 0) await update.sink.add(added)
      for (const id of gone) {
        const ref = toEntityRef({ type, id })
        update.changes.set(ref, false)
        await update.sink.remove(ref)
      }
    }
    if (!continues || isLong(update)) await this.#finish()
  }

  /** Begins an update. If more commits follow, a thread indexes them meanwhile, and searches of other processes do not. */
  async #begin(before: LogPosition, continues: boolean): Promise<UnfinishedUpdate> {
    const sink = continues ? await this.#openThread({ isAwaited: true }) : this.#openBatch()
    const release = continues ? holdLock(this.#folder) : async () => {}
    return { before, after: before, startedAt: performance.now(), changes: new Map(), sink, release }
  }

  #openBatch(): SegmentSink {
    return new SegmentBatch(this.#folder, this.#stemToken)
  }

  async #openThread(options: { isAwaited: boolean }): Promise<SegmentSink> {
    const file = findThreadFile('indexing-thread', import.meta.url)
    if (file === null) return this.#openBatch()
    return new (await import('./threaded-batch')).ThreadedBatch(file, this.#folder.path, options)
  }

  /** Whether nothing was committed between the last commit of an update and a position. */
  #follows({ after }: UnfinishedUpdate, position: LogPosition): boolean {
    return this.#isUnchanged(after, position)
  }

  /** Writes what the unfinished update has collected. */
  async #finish(): Promise<void> {
    const update = this.#unfinished
    if (!update) return
    const base = this.#folder.readIgnoringDamage()
    if (!this.#isCurrentAt(base, update.before)) return this.#giveUp()
    const applied = await applyChanges(this.#folder, base, update)
    this.#saveManifest(base, { ...applied, position: update.after })
    this.#unfinished = null
    await update.release()
    if (this.#mergesLater) void this.#mergeLater()
  }

  /** Merges segments on a thread that no writer waits for. If that fails, they stay as they are. */
  async #mergeLater(): Promise<void> {
    if (this.#isMerging || performance.now() < this.#mergesFrom) return
    this.#isMerging = true
    let sink: SegmentSink | null = null
    try {
      const base = this.#folder.readIgnoringDamage()
      const parts = this.#folder.openSegments(base)
      const chosen = chooseLargeMerge(parts).map((part) => base.manifest!.segments[parts.indexOf(part)]!)
      if (chosen.length === 0) return
      sink = await this.#openThread({ isAwaited: false })
      await sink.merge(chosen)
      const written = await sink.finish()
      await this.#runSequentially(async () => replaceMerged(this.#folder, chosen, written))
    } catch {
      this.#mergesFrom = performance.now() + MERGE_RETRY_MS
      await sink?.abandon().catch(() => {})
    } finally {
      this.#isMerging = false
    }
  }

  /** The index lags from now on. The next search updates it. */
  async #giveUp(): Promise<void> {
    const update = this.#unfinished
    this.#unfinished = null
    try {
      await update?.sink.abandon()
    } finally {
      this.#markLagging()
      await update?.release()
    }
  }

  /** Updates an index that was missing or lagged before this commit. */
  async #catchUp(
    base: ManifestVersion,
    commit: Pick<ObservedCommit, 'changed' | 'tx'> & { after: LogPosition },
  ): Promise<void> {
    if (base.manifest?.position === null) return // known to lag
    const all = (await listSearchableStamps(commit.tx)).length
    const changed = TYPES.reduce((sum, type) => sum + commit.changed.get(SEARCHABLE_TABLES[type])!.size, 0)
    if (all > MAX_ENTITIES_INDEXED_IN_WRITE && changed < all / 2) return this.#markLagging()
    this.#saveManifest(base, { ...(await this.#reconcile(commit.tx, base)), position: commit.after })
  }

  #reconcile(tx: ReadTx, base: ManifestVersion): Promise<Manifest> {
    const noProgress = { progress() {}, signal: new AbortController().signal }
    return reconcileManifest(
      tx,
      { folder: this.#folder, base, stemToken: this.#stemToken, now: this.#now() },
      noProgress,
    )
  }

  /** The log continues in another segment, and the one of the index's position may soon be removed. */
  #advancePosition(before: LogPosition, after: LogPosition): void {
    const base = this.#folder.readIgnoringDamage()
    if (this.#isCurrentAt(base, before)) this.#folder.replace(base, { ...base.manifest!, position: after })
  }

  /** @param current the stamp of a manifest that was current at `from`. */
  #relocatePosition(from: LogPosition, to: LogPosition, current: string | null): void {
    const remains = ({ snapshot, segment }: LogPosition) => snapshot === from.snapshot && segment >= to.segment
    const update = this.#unfinished
    if (update) {
      if (remains(update.before)) update.before = { ...update.before, snapshot: to.snapshot }
      if (remains(update.after)) update.after = { ...update.after, snapshot: to.snapshot }
    }
    const now = this.#folder.readIgnoringDamage()
    const position = now.manifest?.position
    if (!position) return
    if (remains(position))
      this.#folder.replace(now, { ...now.manifest!, position: { ...position, snapshot: to.snapshot } })
    else if (now.stamp === current) this.#folder.replace(now, { ...now.manifest!, position: to })
  }

  #saveManifest(base: ManifestVersion, { segments, entities, position }: Omit<Manifest, 'indexedAt'>): void {
    const manifest = { position, indexedAt: this.#now(), entities, segments }
    if (this.#folder.replaceOrDiscard(base, manifest)) return
    if (position && this.#isCurrentAt(this.#folder.readIgnoringDamage(), position)) return // another process has updated it
    this.#markLagging()
  }

  /** Marks the index as lagging, so that a later position of the database cannot match it by chance. */
  #markLagging(): void {
    try {
      const base = this.#folder.readIgnoringDamage()
      const known = base.manifest ?? { indexedAt: this.#now(), entities: NO_ENTITIES, segments: [] }
      if (base.manifest?.position !== null) this.#folder.replace(base, { ...known, position: null })
    } catch {
      // The position of the index is behind the log anyway.
    }
  }

  #isCurrentAt({ manifest }: ManifestVersion, position: LogPosition): boolean {
    if (!manifest?.position) return false
    return this.#isUnchanged(manifest.position, position)
  }

  /** Whether no commit between two positions changed what is searched. Looks twice, because a thread may move the log meanwhile. */
  #isUnchanged(from: LogPosition, until: LogPosition): boolean {
    const isUnchanged = () =>
      detectChanges(this.#database, this.#locate(from), { word: VERSION_TABLE, until }) === 'nothing'
    return isUnchanged() || (this.#movedFrom !== null && isUnchanged())
  }

  /** The same position after a move of the log that has been made, but that `relocating` has not seen. */
  #locate(position: LogPosition): LogPosition {
    if (position.snapshot !== this.#movedFrom) return position
    return continuePosition(this.#database, position)
  }

  #runSequentially(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}
