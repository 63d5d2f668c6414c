import { limits } from '../limits'

const CONTAINERS = new RegExp(`^(?:[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])(?=[ \\t>]|$)){${limits.containerMarks}}`, 'm')

/** Whether marks of lists and quotes in a row would take the reader's stack: it reads each in the one before. */
export function isHostile(markdown: string): boolean {
  return CONTAINERS.test(markdown)
}
