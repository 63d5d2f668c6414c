import { join } from 'node:path'
import { type Context, StudioError } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import { isBeingWritten, type ReadTx, type StorageContext, withFileLock } from '../../storage'
import { createTokenStemmer } from '../rules/stem'
import type { SearchIndexProvider } from '../services/search-index'
import { SingleFlight } from '../services/single-flight'
import { FileIndex, statsOf } from './file-index'
import { DamagedIndexError } from './frame-file'
import { type IndexFolder, isCode, type ManifestVersion } from './index-folder'
import { reconcileManifest } from './reconcile-manifest'
import { checkIndexFiles, type IndexFiles, type IndexProblem, mayAnswerLagging } from './search-index-files'

type Call = Context & StorageContext

interface FileIndexProviderOptions {
  /** The path of the database. */
  database: string
  folder: IndexFolder
  /** Answers if the files cannot be written. */
  inMemory: SearchIndexProvider
  /** Called with messages for the user. */
  notice(text: string): void
}

/** A state of the index that can answer. */
interface UsableIndex {
  base: ManifestVersion
  /** Whether the database has acknowledged changes that this state does not contain. */
  isLagging: boolean
}

/**
 * The index in files beside the database. A search answers from the index that is there:
 * - A writer updates the index before it reports success. A search that comes meanwhile does not wait for that.
 * - If the index lags and no writer is about to update it, one search updates it. The others answer at once and say how old the index is.
 * - Without a usable index, all searches wait for one update.
 */
export function createFileIndexProvider({
  database,
  folder,
  inMemory,
  notice,
}: FileIndexProviderOptions): SearchIndexProvider {
  const files = { database, folder }
  const updates = new SingleFlight<UsableIndex | null>()
  const repairs = new SingleFlight<UsableIndex | null>()
  const pending = new PendingUpdate(database)

  /** Null if there are no files that could answer. */
  const updateIndex = async (ctx: Call, why: IndexProblem): Promise<UsableIndex | null> => {
    const waitMs = why === 'lagging' ? 0 : MAX_LOCK_WAIT_MS
    try {
      const base = await withFileLock(join(folder.path, 'lock'), () => updateFiles(ctx, files, why), { waitMs })
      if (why !== 'missing') notice(NOTICES[why])
      return { base, isLagging: false }
    } catch (error) {
      if (isBusy(error)) return getLaggingIndex()
      if (!isUnwritable(error)) throw error
      notice(unwritableNotice(folder))
      return null
    }
  }

  /** The index as it is, although it lags; null if it may not be one of this database. */
  const getLaggingIndex = (): UsableIndex | null =>
    mayAnswerLagging(files) ? { base: folder.read(), isLagging: true } : null

  /** An index that contains all changes acknowledged before the call. A running update may lack some of them: then the next one counts. */
  const getCurrentIndex = async (ctx: Call): Promise<UsableIndex | null> => {
    for (let run = 1; ; run++) {
      const state = checkIndex(files, pending)
      if (state === 'current' || state === 'pending') return { base: folder.read(), isLagging: state === 'pending' }
      const joins = updates.isRunning
      const updated = await updates.join(ctx.signal, (signal) => updateIndex({ ...ctx, signal }, state))
      if (!joins || run === 2) return updated
    }
  }
  const getUsableIndex = async (ctx: Call): Promise<UsableIndex | null> => {
    const isUpdating = updates.isRunning && checkIndex(files, pending) === 'lagging'
    return (isUpdating ? getLaggingIndex() : null) ?? getCurrentIndex(ctx)
  }
  const repair = (ctx: Call) => repairs.join(ctx.signal, (signal) => updateIndex({ ...ctx, signal }, 'damaged'))

  return {
    async current(ctx) {
      const found = await getUsableIndex(ctx)
      if (found === null) return inMemory.current(ctx)
      const { base, isLagging } = found
      return {
        indexedAt: isLagging ? base.manifest!.indexedAt : null,
        knownValues: (qualifier) => new FileIndex(folder.openSegments(base)).knownValues(qualifier),
        async search(query, options) {
          try {
            return await new FileIndex(folder.openSegments(base)).search(query, options)
          } catch (error) {
            if (!(error instanceof DamagedIndexError)) throw error
            const again = await repair(ctx)
            return again
              ? new FileIndex(folder.openSegments(again.base)).search(query, options)
              : (await inMemory.current(ctx)).search(query, options)
          }
        },
      }
    },
    async stats(ctx) {
      const found = await getCurrentIndex(ctx)
      return found ? statsOf(found.base.manifest!, folder.openSegments(found.base), 'files') : inMemory.stats(ctx)
    },
    async rebuild(ctx) {
      try {
        const base = await withFileLock(join(folder.path, 'lock'), () => updateFiles(ctx, files, 'rebuild'), {
          waitMs: MAX_LOCK_WAIT_MS,
        })
        return statsOf(base.manifest!, folder.openSegments(base), 'files')
      } catch (error) {
        if (!isUnwritable(error)) throw error
        notice(unwritableNotice(folder))
        return inMemory.rebuild(ctx)
      }
    },
    close: () => folder.close(),
  }
}

const MAX_LOCK_WAIT_MS = 10 * 60_000

const NOTICES = {
  lagging: 'The search index was out of date and was updated.',
  damaged: 'The search index was damaged and was rebuilt from the database.',
}

function unwritableNotice({ path }: IndexFolder): string {
  return `The search index cannot be stored in ${path}. Searching in memory instead.`
}

/**
 * `pending`: the index lags, and a writer is about to update it. Checks twice before it returns `lagging`, because a writer may finish or
 * begin between the two checks.
 */
function checkIndex(files: IndexFiles, pending: PendingUpdate): IndexProblem | 'current' | 'pending' {
  for (let look = 1; look <= 2; look++) {
    const state = checkIndexFiles(files)
    if (state !== 'lagging') return state
    if (pending.isExpected(files.folder.read())) return 'pending'
  }
  return 'lagging'
}

async function updateFiles(ctx: Call, files: IndexFiles, why: IndexProblem | 'rebuild'): Promise<ManifestVersion> {
  const keepsSegments = why === 'lagging' || why === 'missing'
  try {
    return await reconcile(ctx, files, { keepsSegments })
  } catch (error) {
    if (!(error instanceof DamagedIndexError)) throw error
    return reconcile(ctx, files, { keepsSegments: false })
  }
}

const MAX_ATTEMPTS = 3

/**
 * Writers of other processes may replace the manifest meanwhile; then the work starts again. The last attempt is a write transaction: it
 * changes no rows, and other writers wait for it. The manifest is read and replaced in the transaction, because writers of this process
 * wait for its end. A writer may have updated the index before the transaction began: then nothing is left to do.
 */
async function reconcile(
  ctx: Call,
  files: IndexFiles,
  { keepsSegments }: { keepsSegments: boolean },
): Promise<ManifestVersion> {
  const { folder } = files
  const attempt = async (tx: ReadTx): Promise<boolean> => {
    if (keepsSegments && checkIndexFiles(files) === 'current') return true
    const old = folder.readIgnoringDamage()
    const base = keepsSegments ? old : { ...old, manifest: null }
    const now = formatInstant(ctx.clock.now())
    const manifest = await reconcileManifest(tx, { folder, base, stemToken: createTokenStemmer(), now }, ctx)
    return folder.replaceOrDiscard(old, manifest)
  }
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    if (await (attempts < MAX_ATTEMPTS ? ctx.db.read(attempt) : ctx.db.write(attempt))) {
      folder.removeOrphanedFiles()
      return folder.read()
    }
  }
  throw new StudioError(
    'database_busy',
    'The search index could not be updated because other processes kept changing it.',
    { hint: 'Try again.' },
  )
}

function isBusy(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'database_busy'
}

/** Whether the folder is read-only, full, or not a folder. */
function isUnwritable(error: unknown): boolean {
  const cause = error instanceof StudioError ? error.cause : error
  return UNWRITABLE.some((code) => isCode(cause, code))
}

const UNWRITABLE = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EFBIG', 'ENOTDIR', 'ENOENT', 'EMFILE']

/** A writer updates the index within milliseconds of its commit, within seconds on a busy machine. One that takes longer may keep no index. */
const MAX_UPDATE_MS = 10_000

/** Whether the writer of the log is about to update a lagging index. */
class PendingUpdate {
  readonly #database: string
  #stamp = ''
  #since = 0

  /** @param database the path of its file. */
  constructor(database: string) {
    this.#database = database
  }

  /** @param base the state of the lagging index. Each update creates a new one. */
  isExpected({ manifest, stamp }: ManifestVersion): boolean {
    if (!manifest?.position || !isBeingWritten(this.#database)) return false
    if (stamp !== this.#stamp) [this.#stamp, this.#since] = [stamp, performance.now()]
    return performance.now() - this.#since < MAX_UPDATE_MS
  }
}
