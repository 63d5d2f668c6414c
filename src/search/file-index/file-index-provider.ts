import { join } from 'node:path'
import { type Context, StudioError } from '../../kernel'
import { type StorageContext, withFileLock } from '../../storage'
import { createTokenStemmer } from '../rules/token-stemmer'
import type { IndexStats, SearchIndexProvider } from '../services/search-index-provider'
import { SingleFlight } from '../services/single-flight'
import { FileIndex } from './file-index'
import { DamagedIndexError } from './frame-file'
import type { IndexFolder, ManifestVersion } from './index-folder'
import type { LiveSegment } from './live-segment'
import { isCode, type Manifest } from './manifest'
import { PendingUpdate } from './pending-update'
import { reconcileManifest } from './reconcile-manifest'
import { checkIndexFiles, type IndexFiles, type IndexProblem } from './search-index-files'
import { termKey } from './segment-keys'

type Call = Context & StorageContext

export interface FileIndexProviderOptions {
  /** The path of the database. */
  database: string
  folder: IndexFolder
  /** What answers where the files cannot be written. */
  inMemory: SearchIndexProvider
  /** Told what a person should know. */
  notice(text: string): void
}

/**
 * The index in files beside the database. Writers update it before they report success, so a search that comes meanwhile answers
 * from the index as it is: it finds all that was reported as saved. Where no writer is about to update it, one update runs for
 * all searches that wait.
 */
export function createFileIndexProvider({
  database,
  folder,
  inMemory,
  notice,
}: FileIndexProviderOptions): SearchIndexProvider {
  const files = { database, folder }
  const updates = new SingleFlight<ManifestVersion | null>()
  const repairs = new SingleFlight<ManifestVersion | null>()
  const pending = new PendingUpdate(database)

  /** Null where the files cannot be written. */
  const update = async (ctx: Call, why: IndexProblem | 'rebuild'): Promise<ManifestVersion | null> => {
    try {
      const base = await withFileLock(join(folder.path, 'lock'), () => updated(ctx, files, why), {
        waitMs: MAX_LOCK_WAIT_MS,
      })
      if (why === 'lagging' || why === 'damaged') notice(NOTICES[why])
      return base
    } catch (error) {
      if (!isUnwritable(error)) throw error
      notice(`The search index cannot be stored in ${folder.path}. Searching in memory instead.`)
      return null
    }
  }

  /** An index that holds all that was acknowledged before the call. A run that began earlier may lack some of it: then the next one counts. */
  const usable = async (ctx: Call): Promise<ManifestVersion | null> => {
    for (let run = 1; ; run++) {
      const state = stateOf(files, pending)
      if (state === 'current') return folder.read()
      const joins = updates.isRunning
      const base = await updates.join(ctx.signal, (signal) => update({ ...ctx, signal }, state))
      if (!joins || run === 2) return base
    }
  }
  const repaired = (ctx: Call) => repairs.join(ctx.signal, (signal) => update({ ...ctx, signal }, 'damaged'))

  return {
    async current(ctx) {
      const base = await usable(ctx)
      if (base === null) return inMemory.current(ctx)
      return {
        knownValues: (qualifier) => new FileIndex(folder.openSegments(base)).knownValues(qualifier),
        async search(query, options) {
          try {
            return new FileIndex(folder.openSegments(base)).search(query, options)
          } catch (error) {
            if (!(error instanceof DamagedIndexError)) throw error
            const again = await repaired(ctx)
            return again
              ? new FileIndex(folder.openSegments(again)).search(query, options)
              : (await inMemory.current(ctx)).search(query, options)
          }
        },
      }
    },
    async stats(ctx) {
      const base = await usable(ctx)
      return base ? statsOf(base.manifest!, folder.openSegments(base)) : inMemory.stats(ctx)
    },
    async rebuild(ctx) {
      const base = await update(ctx, 'rebuild')
      return base ? statsOf(base.manifest!, folder.openSegments(base)) : inMemory.rebuild(ctx)
    },
    close: () => folder.close(),
  }
}

const MAX_LOCK_WAIT_MS = 10 * 60_000

const NOTICES = {
  lagging: 'The search index lagged behind the database and was updated.',
  damaged: 'The search index was damaged and was rebuilt from the database.',
}

/** Looks twice before it says that the index lags: a writer may have finished, or begun, between two looks. */
function stateOf(files: IndexFiles, pending: PendingUpdate): IndexProblem | 'current' {
  for (let look = 1; look <= 2; look++) {
    const state = checkIndexFiles(files)
    if (state !== 'lagging') return state
    if (pending.isExpected(files.folder.read())) return 'current'
  }
  return 'lagging'
}

/** Another process may have updated it while this one waited for its turn. */
async function updated(ctx: Call, files: IndexFiles, why: IndexProblem | 'rebuild'): Promise<ManifestVersion> {
  const { folder } = files
  if (why !== 'rebuild' && why !== 'damaged' && checkIndexFiles(files) === 'current') return folder.read()
  const old = folder.readIgnoringDamage()
  try {
    return await reconcile(ctx, folder, why === 'lagging' || why === 'missing' ? old : { ...old, manifest: null }, old)
  } catch (error) {
    if (!(error instanceof DamagedIndexError)) throw error
    return reconcile(ctx, folder, { ...old, manifest: null }, old)
  }
}

const MAX_ATTEMPTS = 5

/** Writers go on meanwhile: where one was faster, what it has left is taken as it is, or taken up anew. */
async function reconcile(
  ctx: Call,
  folder: IndexFolder,
  from: ManifestVersion,
  old: ManifestVersion,
): Promise<ManifestVersion> {
  let [base, replaced] = [from, old]
  for (let attempt = 1; ; attempt++) {
    const now = new Date(ctx.clock.now()).toISOString()
    const manifest = await ctx.db.read((tx) =>
      reconcileManifest(tx, { folder, base, termsOf: createTokenStemmer(), now }, ctx),
    )
    if (folder.replace(replaced, manifest)) {
      folder.removeOrphanedFiles()
      return folder.read()
    }
    const kept = new Set(base.manifest?.segments.map(({ name }) => name))
    for (const { name } of manifest.segments) if (!kept.has(name)) folder.discard(name)
    if (attempt === MAX_ATTEMPTS) {
      throw new StudioError(
        'database_busy',
        'The search index could not be updated because other processes kept changing it.',
        { hint: 'Try again.' },
      )
    }
    base = replaced = folder.readIgnoringDamage()
  }
}

function statsOf(manifest: Manifest, parts: readonly LiveSegment[]): IndexStats {
  const terms = new Set<string>()
  for (const { segment } of parts) for (const term of segment.keysWithPrefix(termKey(''))) terms.add(term)
  return {
    entities: manifest.entities,
    lastIndexedAt: manifest.indexedAt,
    terms: terms.size,
    bytes: parts.reduce((sum, { segment }) => sum + segment.facts.bytes, 0),
    kept: 'files',
  }
}

/** Read-only, full, or not a folder at all. */
function isUnwritable(error: unknown): boolean {
  const cause = error instanceof StudioError ? error.cause : error
  return UNWRITABLE.some((code) => isCode(cause, code))
}

const UNWRITABLE = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EFBIG', 'ENOTDIR', 'ENOENT', 'EMFILE']
