import { type BigIntStats, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { StudioError } from '../../kernel/errors'
import { isPostgresAddress } from './database-address'

/** Files that no command may use for its output. */
export interface ProtectedFiles {
  /** The path or the address of the database in use. */
  database: string
  /** Settings, credentials and the state of the sandbox. */
  others: readonly string[]
}

/** Throws if an output path leads to one of studio's own files, by whatever name: writing to it would destroy data. */
export function requireUnprotectedFile(path: string, own: ProtectedFiles): void {
  const { database, others } = own
  if (!isPostgresAddress(database) && isPartOfDatabase(path, database))
    throw new StudioError('invalid', `${path} belongs to the database itself.`, { hint: 'Name another file.' })
  if (others.some((other) => isSameFile(path, other)))
    throw new StudioError('invalid', `${path} is one of studio’s own files.`, { hint: 'Name another file.' })
}

/** Part of a database: the snapshot, the log, locks, temporary snapshots and the search index. */
function isPartOfDatabase(path: string, database: string): boolean {
  if (isSameFile(path, database) || isSameInodeAsPart(path, database)) return true
  return listPaths(database).some((own) =>
    listPathsNear(database, path).some(
      (name) =>
        [`${own}.log.`, `${own}.lock`, `${own}-wal`, `${own}-journal`].some((start) => name.startsWith(start)) ||
        (name.startsWith(`${own}.`) && name.endsWith('.new')) ||
        `${name}${sep}`.startsWith(`${own}.search${sep}`),
    ),
  )
}

/** Appending to a segment under another name would change the log: a hard link, or another spelling where the file system knows no case. */
function isSameInodeAsPart(path: string, database: string): boolean {
  const found = statOrNull(path)
  if (!found?.isFile()) return false
  const file = resolveLinks(resolve(database))
  const parts = listFiles(dirname(file)).filter((name) => name.startsWith(`${file}.`))
  return [...parts, ...listFiles(`${file}.search`)].some((part) => isSameInode(found, statOrNull(part)))
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

function isSameFile(one: string, other: string): boolean {
  if (isSameInode(statOrNull(one), statOrNull(other))) return true
  return listPathsNear(other, one).some((name) => listPaths(other).includes(name))
}

function isSameInode(first: BigIntStats | null, second: BigIntStats | null): boolean {
  return first !== null && second !== null && first.ino === second.ino && first.dev === second.dev
}

/** The absolute path, and the path after resolving links, as a file system compares them that knows neither case nor composed characters. */
function listPaths(path: string): string[] {
  return [resolve(path), resolveLinks(resolve(path))].map((each) => each.normalize('NFC').toLowerCase())
}

/** The same, and the path in the folder of `own`, if that folder also has another path, as a bind mount or a share on this machine. */
function listPathsNear(own: string, path: string): string[] {
  const folder = statOrNull(dirname(own))
  let [at, name] = [dirname(resolve(path)), basename(path)]
  while (!isSameInode(folder, statOrNull(at))) {
    if (dirname(at) === at) return listPaths(path)
    ;[at, name] = [dirname(at), join(basename(at), name)]
  }
  return [...listPaths(path), ...listPaths(join(dirname(own), name))]
}

/** Resolves the folder of a file that does not exist yet. */
function resolveLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(resolveLinks(dirname(path)), basename(path))
  }
}

function statOrNull(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return null
  }
}
