import { SEARCHABLE_TABLES, VERSION_TABLE } from '../../items'
import { memoizeAsync } from '../../kernel/work/memoize-async'
import {
  type CommitObserver,
  type Database,
  type Engine,
  type Follower,
  getEngine,
  isPostgresAddress,
  type StorageContext,
} from '../../storage'
import { indexFolderPath } from '../file-index/index-folder-path'
import type { SearchIndexProvider, SearchSetup } from './search-index'

interface CreateSearchOptions {
  /** A path or an address; null if the caller has opened the database. */
  database: string | null
  /** Whether the index of a file is stored in files. */
  inFiles: boolean
  now(): number
  /** Whether the process runs long enough to merge the index beside its other work. */
  isService?: boolean
  notice(text: string): void
}

/** Creates the search of a database: its index, and what updates it with each commit. Everything is loaded when it is needed. */
export function createSearch(options: CreateSearchOptions): SearchSetup {
  const { database, inFiles } = options
  const inDatabase = createLazyProvider(() => loadServerIndex(options))
  if (database === null) {
    return {
      indexes: selectByEngine({ sqlite: createLazyProvider(loadMemoryIndex), postgres: inDatabase }),
      observer: null,
      follower: null,
    }
  }
  if (isPostgresAddress(database)) {
    return { indexes: inDatabase, observer: null, follower: createLazyFollower(() => loadFollower(options)) }
  }
  if (!inFiles) return { indexes: createLazyProvider(loadMemoryIndex), observer: null, follower: null }
  return {
    indexes: createLazyProvider(() => loadFileIndex(database, options)),
    observer: createLazyObserver(() => loadUpdater(database, options)),
    follower: null,
  }
}

async function loadMemoryIndex(): Promise<SearchIndexProvider> {
  return (await import('../file-index/memory-index-provider')).createMemoryIndexProvider()
}

async function loadServerIndex({ notice }: CreateSearchOptions): Promise<SearchIndexProvider> {
  return (await import('../server-index/server-index-provider')).createServerIndexProvider({ notice })
}

async function loadFollower({ now }: CreateSearchOptions): Promise<Follower> {
  return (await import('../server-index/store-entities')).createIndexFollower(() => new Date(now()).toISOString())
}

async function loadFileIndex(database: string, { notice }: CreateSearchOptions): Promise<SearchIndexProvider> {
  const [{ createFileIndexProvider }, { IndexFolder }] = await Promise.all([
    import('../file-index/file-index-provider'),
    import('../file-index/index-folder'),
  ])
  const folder = new IndexFolder(indexFolderPath(database))
  return createFileIndexProvider({ database, folder, inMemory: createLazyProvider(loadMemoryIndex), notice })
}

async function loadUpdater(database: string, { now, isService = false }: CreateSearchOptions): Promise<CommitObserver> {
  const [{ IndexUpdater }, { IndexFolder }] = await Promise.all([
    import('../file-index/index-updater'),
    import('../file-index/index-folder'),
  ])
  return new IndexUpdater(database, new IndexFolder(indexFolderPath(database)), {
    now: () => new Date(now()).toISOString(),
    mergesLater: isService,
  })
}

/** Determines the engine of a database in its first transaction. */
function selectByEngine(indexes: Record<Engine, SearchIndexProvider>): SearchIndexProvider {
  const engines = new WeakMap<Database, Promise<Engine>>()
  const selectProvider = async ({ db }: StorageContext) => {
    const engine = engines.get(db) ?? db.read(async (tx) => getEngine(tx))
    engines.set(db, engine)
    engine.catch(() => engines.delete(db))
    return indexes[await engine]
  }
  return {
    current: async (ctx) => (await selectProvider(ctx)).current(ctx),
    stats: async (ctx) => (await selectProvider(ctx)).stats(ctx),
    rebuild: async (ctx) => (await selectProvider(ctx)).rebuild(ctx),
    close() {
      for (const one of Object.values(indexes)) one.close()
    },
  }
}

function createLazyFollower(load: () => Promise<Follower>): Follower {
  const follower = memoizeAsync(load)
  return async (tx) => (await follower())(tx)
}

function createLazyProvider(load: () => Promise<SearchIndexProvider>): SearchIndexProvider {
  let loaded: SearchIndexProvider | null = null
  const indexes = memoizeAsync(async () => {
    loaded = await load()
    return loaded
  })
  return {
    current: async (ctx) => (await indexes()).current(ctx),
    stats: async (ctx) => (await indexes()).stats(ctx),
    rebuild: async (ctx) => (await indexes()).rebuild(ctx),
    close: () => loaded?.close(),
  }
}

/** The tables that search reads, and the one that every searchable change writes to. */
const WATCHED_TABLES = [...Object.values(SEARCHABLE_TABLES), VERSION_TABLE]

function createLazyObserver(load: () => Promise<CommitObserver>): CommitObserver {
  const observer = memoizeAsync(load)
  return {
    tables: WATCHED_TABLES,
    settle: async () => (await observer.current)?.settle(),
    committed: async (commit) => (await observer()).committed(commit),
    relocating: async (position, move) => (await observer()).relocating(position, move),
    close: async () => (await observer.current)?.close(),
  }
}
