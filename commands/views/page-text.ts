import { isSandboxPage } from '../../src/tracker/sample-site'
import { printableLine } from '../terminal/printable'

/** The address of an item's page, and how to serve it if it is one of the sandbox. */
export function pageText(url: string): string {
  return isSandboxPage(url) ? `${printableLine(url)}\nTo serve it: studio sandbox` : printableLine(url)
}
