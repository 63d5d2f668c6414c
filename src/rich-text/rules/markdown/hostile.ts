import { limits } from '../limits'

const CONTAINERS = new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])(?=[ \\t>]|$)){${limits.containerMarks}}`, 'm')

/** Returns whether a line nests so many lists and quotes that the recursive parser would exhaust the stack. */
export function isHostile(markdown: string): boolean {
  return CONTAINERS.test(markdown)
}
