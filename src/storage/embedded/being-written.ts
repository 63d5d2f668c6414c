import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAlive } from '../services/file-lock'
import { HEARTBEAT_TIMEOUT_MS, readLockHolder } from './write-lock'

/** Whether a writer holds the turn of the database at `path`, in this process or another. One that died or is paused does not count. */
export function isBeingWritten(path: string): boolean {
  const turn = `${path}.lock`
  const stats = statSync(turn, { throwIfNoEntry: false })
  if (stats === undefined || Date.now() - stats.mtimeMs > HEARTBEAT_TIMEOUT_MS) return false
  const holder = readLockHolder(turn)
  return holder === null || holder.host !== hostname() || isAlive(holder.pid)
}
