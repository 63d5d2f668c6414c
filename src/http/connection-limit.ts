import { readFileSync } from 'node:fs'

/** File handles that connections of callers do not take: for the files of the database, and for connections to other servers. */
const RESERVED_HANDLES = 64

/**
 * How many connections the service accepts at once, so that idle ones cannot take the handles that calls need. Node closes further ones.
 * Infinite where the system does not say how many handles the process may have.
 */
export function findConnectionLimit(handles = readHandleLimit()): number {
  return handles - Math.min(RESERVED_HANDLES, Math.floor((handles * 3) / 4))
}

function readHandleLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
