import { SEARCHABLE_TABLES, VERSION_TABLE } from '../items'
import {
  type CommitObserver,
  type Database,
  type Engine,
  type Follower,
  getEngine,
  isPostgresAddress,
  type StorageContext,
} from '../storage'
import { indexFolderOf } from './file-search'
import type { KeptSearch, SearchIndexes } from './search-indexes'

export interface SearchPlace {
  /** The database: a file's path, an address, or null for one that somebody else has opened. */
  database: string | null
  /** False where the index of a file is not to be kept in files. */
  inFiles: boolean
  now(): number
  notice(text: string): void
}

/** The search of a database: its index, and what keeps it with every commit. Nothing is loaded before it is needed. */
export function createSearch(place: SearchPlace): KeptSearch {
  const { database, inFiles } = place
  const inDatabase = lazyIndexes(() => loadServer(place))
  if (database === null) {
    return { indexes: byEngine({ sqlite: lazyIndexes(loadMemory), postgres: inDatabase }), watch: null, follower: null }
  }
  if (isPostgresAddress(database)) {
    return { indexes: inDatabase, watch: null, follower: lazyFollower(() => loadFollower(place)) }
  }
  if (!inFiles) return { indexes: lazyIndexes(loadMemory), watch: null, follower: null }
  return {
    indexes: lazyIndexes(() => loadFiles(database, place)),
    watch: lazyWatch(() => loadKeeper(database, place)),
    follower: null,
  }
}

async function loadMemory(): Promise<SearchIndexes> {
  return (await import('./memory-indexes')).createMemoryIndexes()
}

async function loadServer({ notice }: SearchPlace): Promise<SearchIndexes> {
  return (await import('./server-indexes')).createServerIndexes({ notice })
}

async function loadFollower({ now }: SearchPlace): Promise<Follower> {
  return (await import('./server-index/follow')).createFollower(() => new Date(now()).toISOString())
}

async function loadFiles(database: string, { notice }: SearchPlace): Promise<SearchIndexes> {
  const [{ createFileIndexes }, { IndexFolder }] = await Promise.all([
    import('./file-indexes'),
    import('./index-file/index-folder'),
  ])
  const folder = new IndexFolder(indexFolderOf(database))
  return createFileIndexes({ database, folder, inMemory: lazyIndexes(loadMemory), notice })
}

async function loadKeeper(database: string, { now }: SearchPlace): Promise<CommitObserver> {
  const [{ IndexKeeper }, { IndexFolder }] = await Promise.all([
    import('./index-keeper'),
    import('./index-file/index-folder'),
  ])
  return new IndexKeeper(database, new IndexFolder(indexFolderOf(database)), () => new Date(now()).toISOString())
}

/** What a database is, its first transaction tells. */
function byEngine(indexes: Record<Engine, SearchIndexes>): SearchIndexes {
  const engines = new WeakMap<Database, Promise<Engine>>()
  const fitting = async ({ db }: StorageContext) => {
    const engine = engines.get(db) ?? db.read(async (tx) => getEngine(tx))
    engines.set(db, engine)
    engine.catch(() => engines.delete(db))
    return indexes[await engine]
  }
  return {
    current: async (ctx) => (await fitting(ctx)).current(ctx),
    stats: async (ctx) => (await fitting(ctx)).stats(ctx),
    rebuild: async (ctx) => (await fitting(ctx)).rebuild(ctx),
    close() {
      for (const one of Object.values(indexes)) one.close()
    },
  }
}

function lazyFollower(load: () => Promise<Follower>): Follower {
  let loading: Promise<Follower> | null = null
  return async (tx) => {
    loading ??= load()
    await (await loading)(tx)
  }
}

function lazyIndexes(load: () => Promise<SearchIndexes>): SearchIndexes {
  let loading: Promise<SearchIndexes> | null = null
  let loaded: SearchIndexes | null = null
  const indexes = () => {
    loading ??= load().then((made) => {
      loaded = made
      return made
    })
    return loading
  }
  return {
    current: async (ctx) => (await indexes()).current(ctx),
    stats: async (ctx) => (await indexes()).stats(ctx),
    rebuild: async (ctx) => (await indexes()).rebuild(ctx),
    close: () => loaded?.close(),
  }
}

/** Those that search reads, and the one that every change of what search can find writes to. */
const WATCHED_TABLES = [...Object.values(SEARCHABLE_TABLES), VERSION_TABLE]

function lazyWatch(load: () => Promise<CommitObserver>): CommitObserver {
  let loading: Promise<CommitObserver> | null = null
  const watch = () => {
    loading ??= load()
    return loading
  }
  return {
    tables: WATCHED_TABLES,
    committed: async (commit) => (await watch()).committed(commit),
    relocating: async (position, move) => (await watch()).relocating(position, move),
  }
}
