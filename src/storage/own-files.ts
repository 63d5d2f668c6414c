import { realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { StudioError } from '../kernel/errors'
import { isPostgresAddress } from './address'

/** The files that studio keeps for itself. */
export interface OwnFiles {
  /** The path or the address of the database in use. */
  database: string
  /** Settings, credentials and the state of the sandbox. */
  others: readonly string[]
}

/** Throws where a file that a person named for output is one of studio's own, under whatever name: writing to it would destroy data. */
export function refuseOwnFile(path: string, own: OwnFiles): void {
  const { database, others } = own
  if (!isPostgresAddress(database) && isPartOfDatabase(path, database))
    throw new StudioError('invalid', `${path} belongs to the database itself.`, { hint: 'Name another file.' })
  if (others.some((other) => isSameFile(path, other)))
    throw new StudioError('invalid', `${path} is a file that studio keeps for itself.`, { hint: 'Name another file.' })
}

/** The snapshot, its log, its locks, a snapshot that is being written, and the search index. */
function isPartOfDatabase(path: string, database: string): boolean {
  if (isSameFile(path, database)) return true
  return namesOf(database).some((own) =>
    namesOf(path).some(
      (name) =>
        [`${own}.log.`, `${own}.lock`, `${own}-wal`, `${own}-journal`].some((start) => name.startsWith(start)) ||
        (name.startsWith(`${own}.`) && name.endsWith('.new')) ||
        `${name}${sep}`.startsWith(`${own}.search${sep}`),
    ),
  )
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [statsOf(one), statsOf(other)]
  if (first && second && first.ino === second.ino && first.dev === second.dev) return true
  return namesOf(one).some((name) => namesOf(other).includes(name))
}

/** The path as it is written, and where its links lead. */
function namesOf(path: string): string[] {
  return [resolve(path), withoutLinks(resolve(path))]
}

/** Of a file that does not exist yet, its folder is followed. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(withoutLinks(dirname(path)), basename(path))
  }
}

function statsOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
