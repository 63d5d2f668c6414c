import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents, which only this user can use, one by one: Node's own recursion never ends where a parent cannot be
 * created, as in /proc.
 * @param makeOne creates one folder whose parent exists.
 */
export function makeFolder(path: string, makeOne: (path: string) => void = makePrivate): void {
  try {
    makeUnlessThere(path, makeOne)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    const parent = dirname(path)
    if (!existsSync(parent)) makeFolder(parent, makeOne)
    // By now, another process may have created it.
    makeUnlessThere(path, makeOne)
  }
}

function makeUnlessThere(path: string, makeOne: (path: string) => void): void {
  try {
    makeOne(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' && !(code === 'EPERM' && process.platform === 'win32')) throw error
    requireFolder(path, error)
  }
}

function makePrivate(path: string): void {
  mkdirSync(path, { mode: 0o700 })
}

/** Windows answers EPERM for the root of a drive, and reports a file in the path as if there were nothing. */
function requireFolder(path: string, error: unknown): void {
  if (process.platform !== 'win32' || statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const { code } = error as NodeJS.ErrnoException
  throw code === 'EPERM' ? error : Object.assign(new Error(`${path} is no folder.`), { code: 'ENOTDIR' })
}
