import { Worker } from 'node:worker_threads'
import { findThreadFile } from '../../../background/thread-file'
import { type Disk, realDisk } from '../disk'
import { LoggedPages } from '../engine/database-pages'
import { closeSegments, type OpenLog, openLog, syncLog } from '../log/open-log'
import { BaseFile, isOlderBase } from './base-file'
import { installBase } from './install-base'

/**
 * Writes a new base from the old one and the closed segments, page by page.
 * @param before the number of a segment: those from it on stay, closed or not.
 */
export async function compactFiles(path: string, disk: Disk, before: number = Number.POSITIVE_INFINITY): Promise<void> {
  const base = BaseFile.open(path)
  if (!base?.footer) return base?.close()
  let log: OpenLog | null = null
  try {
    log = openLog(path, base.footer)
    await syncLog(path, log, disk)
    const closed = log.segments.slice(0, -1).filter((segment) => segment.number < before)
    const { number, previous } = log.segments[closed.length]!
    if (closed.length === 0) return
    const pages = new LoggedPages(
      base,
      { segments: () => closed, end: () => Number.POSITIVE_INFINITY },
      { cacheBytes: 0 },
    )
    const mayReplace = () => isOlderBase(path, number)
    const source = pages.toBaseSource()
    await installBase(path, { source, segment: number, previous, mayReplace, yieldsToOthers: true }, disk)
  } finally {
    base.close()
    if (log) closeSegments(log.segments)
  }
}

export interface CompactionData {
  compactDatabaseAt: string
  before: number
}

/** Compacts on another thread, so that this one stays responsive. */
export function compactInThread(path: string, before: number): Promise<void> {
  const file = findThreadFile('compaction-thread', import.meta.url)
  if (file === null) return compactFiles(path, realDisk, before)
  return new Promise((resolve, reject) => {
    const thread = new Worker(file, { workerData: { compactDatabaseAt: path, before } satisfies CompactionData })
    thread.once('error', reject)
    thread.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the thread ended with ${code}`))))
  })
}
