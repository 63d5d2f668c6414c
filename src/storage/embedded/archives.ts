import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The folders with what a repair or a restored backup has replaced, oldest first. */
export function listArchives(path: string): string[] {
  const prefix = `${basename(path)}.aside-`
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .sort()
    .map((name) => join(dirname(path), name))
}
