import { join } from 'node:path'
import { type Context, StudioError } from '../kernel'
import { type StorageContext, withFileLock } from '../storage'
import { searchFiles, type Unfit } from './file-search'
import { FileIndex } from './index-file/file-index'
import { DamagedIndex } from './index-file/frames'
import type { Base, IndexFolder } from './index-file/index-folder'
import { isCode, type Manifest } from './index-file/manifest'
import type { Part } from './index-file/part'
import { termKey } from './index-file/segment-keys'
import { reconciled } from './reconcile'
import type { IndexStats, SearchIndexes } from './search-indexes'
import { termsOfTokens } from './terms-of'

type Call = Context & StorageContext

export interface FileIndexOptions {
  /** The path of the database. */
  database: string
  folder: IndexFolder
  /** What answers where the files cannot be written. */
  inMemory: SearchIndexes
  /** Told what a person should know. */
  notice(text: string): void
}

/** The index in files beside the database, mended where it is not what the database says. */
export function createFileIndexes({ database, folder, inMemory, notice }: FileIndexOptions): SearchIndexes {
  /** Null where the files cannot be written. */
  const mend = async (ctx: Call, why: Unfit | 'rebuild'): Promise<Base | null> => {
    try {
      return await withFileLock(join(folder.path, 'lock'), () => mended(ctx, { database, folder, why }), {
        waitMs: LONGEST_MS,
      })
    } catch (error) {
      if (!isUnwritable(error)) throw error
      notice(`The search index cannot be kept in ${folder.path}: searching in memory.`)
      return null
    }
  }
  const sound = async (ctx: Call): Promise<Base | null> => {
    const state = stateOf(database, folder)
    if (state === 'current') return folder.read()
    const base = await mend(ctx, state)
    if (base && state !== 'missing') notice(NOTICES[state])
    return base
  }
  return {
    async current(ctx) {
      const base = await sound(ctx)
      if (base === null) return inMemory.current(ctx)
      return {
        async search(query, options) {
          const found = searchFiles({ database, folder }, query, options)
          if (typeof found !== 'string') return found
          const again = await mend(ctx, found)
          if (found === 'damaged') notice(NOTICES.damaged)
          return again
            ? new FileIndex(folder.parts(again)).search(query, options)
            : (await inMemory.current(ctx)).search(query, options)
        },
      }
    },
    async stats(ctx) {
      const base = await sound(ctx)
      return base ? statsOf(base.manifest!, folder.parts(base)) : inMemory.stats(ctx)
    },
    async rebuild(ctx) {
      const base = await mend(ctx, 'rebuild')
      return base ? statsOf(base.manifest!, folder.parts(base)) : inMemory.rebuild(ctx)
    },
    close: () => folder.close(),
  }
}

const LONGEST_MS = 10 * 60_000

const NOTICES = {
  lagging: 'The search index lagged behind the database, and was brought up to date.',
  damaged: 'The search index was damaged, and has been made anew from the database.',
}

function stateOf(database: string, folder: IndexFolder): Unfit | 'current' {
  const nothing = { words: [], phrases: [], excluded: [], filters: [], ids: [], inTitle: false, opening: [] }
  const found = searchFiles({ database, folder }, nothing, { limit: 1 })
  return typeof found === 'string' ? found : 'current'
}

/** Another process may have mended it while this one waited for its turn. */
async function mended(
  ctx: Call,
  { database, folder, why }: { database: string; folder: IndexFolder; why: Unfit | 'rebuild' },
): Promise<Base> {
  if (why !== 'rebuild' && why !== 'damaged' && stateOf(database, folder) === 'current') return folder.read()
  const old = folder.readIfSound()
  try {
    return await brought(ctx, folder, why === 'lagging' || why === 'missing' ? old : { ...old, manifest: null }, old)
  } catch (error) {
    if (!(error instanceof DamagedIndex)) throw error
    return brought(ctx, folder, { ...old, manifest: null }, old)
  }
}

const MOST_ATTEMPTS = 5

/** Writers go on meanwhile: where one was faster, what it has left is taken as it is, or taken up anew. */
async function brought(ctx: Call, folder: IndexFolder, from: Base, old: Base): Promise<Base> {
  let [base, replaced] = [from, old]
  for (let attempt = 1; ; attempt++) {
    const now = new Date(ctx.clock.now()).toISOString()
    const manifest = await ctx.db.read((tx) => reconciled(tx, { folder, base, termsOf: termsOfTokens(), now }, ctx))
    if (folder.replace(replaced, manifest)) {
      folder.sweep()
      return folder.read()
    }
    const kept = new Set(base.manifest?.segments.map(({ name }) => name))
    for (const { name } of manifest.segments) if (!kept.has(name)) folder.discard(name)
    if (attempt === MOST_ATTEMPTS) {
      throw new StudioError('database_busy', 'Others write to the search index all the time.', { hint: 'Try again.' })
    }
    base = replaced = folder.readIfSound()
  }
}

function statsOf(manifest: Manifest, parts: readonly Part[]): IndexStats {
  const terms = new Set<string>()
  for (const { segment } of parts) for (const term of segment.keysBeginning(termKey(''))) terms.add(term)
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
