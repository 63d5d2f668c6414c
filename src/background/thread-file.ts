import { existsSync } from 'node:fs'
import { isStartable } from './is-startable'

/**
 * The file that the build has made for a thread, beside the file at `url`. Null where there is none: Node cannot run the sources, and a program
 * that has bundled this one need not have it. The caller then does the work itself.
 */
export function findThreadFile(name: string, url: string): URL | null {
  if (!isStartable(url)) return null
  const file = new URL(`./${name}.cjs`, url)
  return existsSync(file) ? file : null
}
