import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Whether the path is a symbolic link. */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/** How many names the file has. Unlike for a symbolic link, no one can say which. */
export function countNames(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.nlink ?? 0
}

/** As many as Linux follows. More are a circle. */
const MAX_LINKS = 40

/**
 * The database that a path leads to. The log and the lock are beside a database and have its name: under the name of a link they would be
 * others, so that two processes could write at once. The target need not exist yet, also of a link to a link. Any other path is returned as it
 * is.
 */
export function followLink(path: string, links = MAX_LINKS): string {
  try {
    if (!isLink(path)) return path
  } catch {
    return path // What is wrong with it is said when it is opened.
  }
  try {
    return realpathSync(path)
  } catch {
    const target = resolve(realpathSync(dirname(path)), readlinkSync(path))
    return links > 1 ? followLink(target, links - 1) : target
  }
}
