import { readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { Script } from 'node:vm'
import { crc32 } from '../../src/kernel/crc32'
import { getLocalAppData } from '../../src/kernel/files/local-app-data'
import { makeFolder } from '../../src/storage/services/make-folder'
import { loadModulesWith, moduleInternals, wrapModule } from './module-loader'

/** Inserted at build: changes with every file of the program. */
declare const STUDIO_BUILD: string | undefined

/** Compiling less code takes as long as reading the cache. */
const MIN_SOURCE_LENGTH = 8_000
/** Later, V8 drops the code of the start again, which is what the next process needs. */
const WRITE_AFTER_MS = 10_000
/** How many processes add the functions that they called: the first one may have called few, as one that refuses its arguments. */
const MAX_WRITERS = 4
/** Folders of other builds and versions of Node that stay. */
const MAX_FOLDERS = 5

/**
 * Keeps what V8 has compiled of the program in a cache of this user, so that the next process need not compile it again: a third of the
 * time of an ordinary command. Node 22 does so itself. Call it before the program is loaded. Whatever fails, the program runs without
 * the cache. `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` mean what they mean to Node.
 */
export function useCompileCache(env: NodeJS.ProcessEnv = process.env): void {
  if (env['NODE_DISABLE_COMPILE_CACHE'] || typeof STUDIO_BUILD === 'undefined') return
  try {
    const folder = env['NODE_COMPILE_CACHE'] || join(cacheHome(env), 'studio', 'compiled')
    const internals = moduleInternals()
    requireOwn(folder)
    // Node's cache is for files, and a single executable loads its modules itself.
    if (internals.enableCompileCache && !internals._extensions['.cjs']) internals.enableCompileCache(folder)
    else compileWithCache(folder)
  } catch {
    // Another user owns the folder, it cannot be written, or there is no home.
  }
}

function cacheHome(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return getLocalAppData(env, homedir())
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches')
  const [set, home] = [env['XDG_CACHE_HOME'], env['HOME'] || homedir()]
  if (set && isAbsolute(set)) return set
  if (!isAbsolute(home)) throw new Error('There is no home')
  return join(home, '.cache')
}

/** Whoever can write to the folder decides what this process runs. */
function requireOwn(folder: string): void {
  let found = statSync(folder, { throwIfNoEntry: false })
  if (!found) {
    const existing = findExistingParent(folder)
    requireOwner(existing, statSync(existing))
    makeFolder(folder)
    found = statSync(folder)
  }
  requireOwner(folder, found)
  if (process.getuid && (found.mode & 0o022) !== 0) throw new Error(`Others can write to ${folder}`)
}

/** Throws if there is none: on Windows, a drive or a share may be missing. */
function findExistingParent(folder: string): string {
  const parent = dirname(folder)
  if (statSync(parent, { throwIfNoEntry: false })) return parent
  if (parent === folder) throw new Error(`${folder} does not exist`)
  return findExistingParent(parent)
}

function requireOwner(folder: string, { uid }: Stats): void {
  if (process.getuid && uid !== process.getuid()) throw new Error(`Another user owns ${folder}`)
}

function compileWithCache(root: string): void {
  const folder = join(root, `studio-${STUDIO_BUILD}-${process.versions.node}-${process.arch}`)
  const compiled: { script: Script; cacheFile: string; known: Cached }[] = []
  loadModulesWith((file) => {
    const source = readFileSync(file, 'utf8')
    const cacheFile = source.length < MIN_SOURCE_LENGTH ? null : join(folder, basename(file))
    const cached = cacheFile === null ? null : readChecked(cacheFile)
    const script = new Script(wrapModule(source), { filename: file, ...(cached && { cachedData: cached.data }) })
    const known = cached && !script.cachedDataRejected ? cached : { data: Buffer.alloc(0), writers: 0 }
    if (cacheFile !== null && known.writers < MAX_WRITERS) compiled.push({ script, cacheFile, known })
    return script
  })
  // At the end of a command V8 has compiled the functions that it called. A service writes them while it runs.
  const write = () => {
    process.off('exit', write)
    clearTimeout(timer)
    if (compiled.length === 0) return
    try {
      if (!statSync(folder, { throwIfNoEntry: false })) makeRoom(root)
      makeFolder(folder)
      for (const { script, cacheFile, known } of compiled) {
        const data = script.createCachedData()
        const isLess = data.length < known.data.length // V8 has dropped functions that were not called for long
        writeChecked(cacheFile, { data: isLess ? known.data : data, writers: known.writers + 1 })
      }
    } catch {
      // The next process compiles again.
    }
  }
  const timer = setTimeout(write, WRITE_AFTER_MS).unref()
  process.once('exit', write)
}

interface Cached {
  /** What V8 has compiled. */
  data: Buffer
  /** How many processes have added to it. */
  writers: number
}

/** A checksum of the rest, and the number of writers. */
const HEAD_BYTES = 8

/** V8 runs whatever the data says, so damage must not reach it. */
function readChecked(file: string): Cached | null {
  try {
    const bytes = readFileSync(file)
    const isSound = bytes.length > HEAD_BYTES && crc32(bytes.subarray(4)) === bytes.readUInt32LE(0)
    return isSound ? { writers: bytes.readUInt32LE(4), data: bytes.subarray(HEAD_BYTES) } : null
  } catch {
    return null
  }
}

function writeChecked(file: string, { data, writers }: Cached): void {
  const bytes = Buffer.concat([Buffer.alloc(HEAD_BYTES), data])
  bytes.writeUInt32LE(writers, 4)
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0)
  const unfinished = `${file}.${process.pid}`
  try {
    writeFileSync(unfinished, bytes, { mode: 0o600 })
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true }) // a full disk would keep a part of it
    throw error
  }
}

function makeRoom(root: string): void {
  const changedAt = (name: string) => statSync(join(root, name)).mtimeMs
  const folders = readdirSync(root).filter((name) => name.startsWith('studio-'))
  const oldest = folders.sort((a, b) => changedAt(b) - changedAt(a)).slice(MAX_FOLDERS - 1)
  for (const name of oldest) rmSync(join(root, name), { recursive: true, force: true })
}
