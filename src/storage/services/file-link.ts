import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Whether the path is a symbolic link. */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/**
 * The database that a path leads to. The log and the lock are beside a database and have its name: under the name of a link they would be
 * others, so that two processes could write at once. The target of a link need not exist yet. Any other path is returned as it is.
 */
export function followLink(path: string): string {
  try {
    if (!isLink(path)) return path
  } catch {
    return path // What is wrong with it is said when it is opened.
  }
  try {
    return realpathSync(path)
  } catch {
    return resolve(realpathSync(dirname(path)), readlinkSync(path))
  }
}
