import { pathToFileURL } from 'node:url'

/**
 * Whether the file can also be run by a thread. Node cannot run TypeScript sources, and the file of a whole program would start the program
 * again.
 */
export function isStartable(url: string): boolean {
  return /\.[cm]?js$/.test(url) && url !== pathToFileURL(process.argv[1] ?? '').href
}
