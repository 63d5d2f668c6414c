import { SEARCHABLE_TABLES, VERSION_TABLE } from '../../items'
import { type CommitObserver, detectChanges, type LogPosition, type ObservedCommit, type ReadTx } from '../../storage'
import { createTokenStemmer } from '../rules/stem'
import { findSearchables, listSearchableStamps } from '../services/find-searchables'
import { applyChanges, type EntityRef, type PendingDocument, toEntityRef, toPendingDocument } from './apply-changes'
import { type IndexFolder, type Manifest, type ManifestVersion, NO_ENTITIES } from './index-folder'
import { reconcileManifest } from './reconcile-manifest'

const TYPES = ['devops', 'draft', 'folder'] as const

/** If the index is missing or lags, a write updates up to this many entities. The next search updates more. */
const MAX_ENTITIES_INDEXED_IN_WRITE = 5_000

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

  /** @param database the path of its file. */
  constructor(database: string, folder: IndexFolder, now: () => string) {
    this.#database = database
    this.#folder = folder
    this.#now = now
  }

  async committed(commit: ObservedCommit): Promise<void> {
    const { before, after } = commit
    if (before === null || after === null) return
    await this.#runSequentially(async () => {
      try {
        if (commit.changed.get(VERSION_TABLE)!.size > 0) await this.#applyCommit(commit, before, after)
        else if (before.segment !== after.segment) this.#advancePosition(before, after)
      } catch {
        this.#markLagging()
      }
    })
  }

  async relocating(position: () => LogPosition | null, move: () => Promise<void>): Promise<void> {
    await this.#last // an update may be between two of its steps
    const from = position()
    const base = this.#folder.readIgnoringDamage()
    const wasCurrent = from !== null && this.#isCurrentAt(base, from)
    await move()
    await this.#runSequentially(async () => {
      const to = position()
      if (wasCurrent && to !== null) this.#relocatePosition(base, from, to)
    }).catch(() => {})
  }

  async #applyCommit({ changed, tx }: ObservedCommit, before: LogPosition, after: LogPosition): Promise<void> {
    const base = this.#folder.readIgnoringDamage()
    if (!this.#isCurrentAt(base, before)) return this.#catchUp(base, { changed, tx, after })
    const changes = new Map<EntityRef, PendingDocument | null>()
    for (const type of TYPES) {
      const ids = [...changed.get(SEARCHABLE_TABLES[type])!]
      for (const id of ids) changes.set(toEntityRef({ type, id }), null)
      for (const one of await findSearchables(tx, type, ids)) changes.set(toEntityRef(one), toPendingDocument(one))
    }
    this.#saveManifest(base, {
      ...(await applyChanges(this.#folder, base, { changes, stemToken: this.#stemToken })),
      position: after,
    })
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

  #relocatePosition(base: ManifestVersion, from: LogPosition, to: LogPosition): void {
    const now = this.#folder.readIgnoringDamage()
    const position = now.manifest?.position
    if (!position) return
    if (now.stamp === base.stamp) this.#folder.replace(now, { ...now.manifest!, position: to })
    else if (position.snapshot === from.snapshot && position.segment >= to.segment) {
      this.#folder.replace(now, { ...now.manifest!, position: { ...position, snapshot: to.snapshot } })
    }
  }

  #saveManifest(base: ManifestVersion, { segments, entities, position }: Omit<Manifest, 'indexedAt'>): void {
    const manifest = { position, indexedAt: this.#now(), entities, segments }
    if (this.#folder.replace(base, manifest)) return
    const known = new Set(base.manifest?.segments.map(({ name }) => name))
    for (const { name } of segments) if (!known.has(name)) this.#folder.discard(name)
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
    return detectChanges(this.#database, manifest.position, { word: VERSION_TABLE, until: position }) === 'nothing'
  }

  #runSequentially(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}
