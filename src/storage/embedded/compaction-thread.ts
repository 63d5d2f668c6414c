import { pathToFileURL } from 'node:url'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { compactFiles } from './compact-files'
import { realDisk } from './disk'

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

/** Node cannot run TypeScript sources, and the file of a whole program would start the program again. */
function isStartable(url: string): boolean {
  return /\.m?js$/.test(url) && url !== pathToFileURL(process.argv[1] ?? '').href
}

// This file is also what the thread runs.
if (!isMainThread && typeof (workerData as CompactionJob | null)?.compactDatabaseAt === 'string') {
  await compactFiles((workerData as CompactionJob).compactDatabaseAt, realDisk)
}
