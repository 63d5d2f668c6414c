import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { isStartable } from '../../../background/is-startable'
import { type Disk, realDisk } from '../disk'
import { LoggedPages } from '../engine/database-pages'
import { closeSegments, type OpenLog, openLog, syncLog } from '../log/open-log'
import { BaseFile, isOlderBase } from './base-file'
import { installBase } from './install-base'

/** Writes a new base from the old one and the closed segments, page by page. */
export async function compactFiles(path: string, disk: Disk): Promise<void> {
  const base = BaseFile.open(path)
  if (!base?.footer) return base?.close()
  let log: OpenLog | null = null
  try {
    log = openLog(path, base.footer)
    await syncLog(path, log, disk)
    const closed = log.segments.slice(0, -1)
    const { number, previous } = log.segments.at(-1)!
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

interface CompactionJob {
  compactDatabaseAt: string
}

/** Compacts on another thread, so that this one stays responsive. */
export function compactInThread(path: string): Promise<void> {
  if (!isStartable(import.meta.url)) return compactFiles(path, realDisk)
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), {
      workerData: { compactDatabaseAt: path } satisfies CompactionJob,
    })
    thread.once('error', reject)
    thread.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the thread ended with ${code}`))))
  })
}

// This file is also what the thread runs.
if (!isMainThread && typeof (workerData as CompactionJob | null)?.compactDatabaseAt === 'string') {
  void compactFiles((workerData as CompactionJob).compactDatabaseAt, realDisk)
}
