import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAlive } from '../file-lock'
import { holderOf, SILENT_MS } from './write-turn'

/** Whether a writer holds the turn of the database at `path`, in this process or another. One that died or is paused does not count. */
export function isBeingWritten(path: string): boolean {
  const turn = `${path}.lock`
  const stats = statSync(turn, { throwIfNoEntry: false })
  if (stats === undefined || Date.now() - stats.mtimeMs > SILENT_MS) return false
  const holder = holderOf(turn)
  return holder === null || holder.host !== hostname() || isAlive(holder.pid)
}
