import { pathToFileURL } from 'node:url'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { Connection } from './connection'
import { type Disk, realDisk } from './disk'
import { installSnapshot } from './install-snapshot'
import { loadDatabase, replayRecords } from './load-database'
import { isOlderSnapshot } from './snapshot'

/** Writes a new snapshot from the files alone: the old snapshot and the closed segments. */
export async function compactFiles(path: string, disk: Disk): Promise<void> {
  const loaded = await loadDatabase(path, disk)
  if (!loaded?.log) return
  const { snapshot, log } = loaded
  log.segment.close()
  const { segment } = log.cursor
  if (segment === snapshot.segment) return
  const connection = await Connection.open(snapshot.bytes)
  try {
    replayRecords(
      connection,
      log.records.filter(({ head }) => head.segment < segment),
    )
    const mayReplace = () => isOlderSnapshot(path, segment)
    await installSnapshot(path, { bytes: connection.export(), segment, mayReplace, yieldsToOthers: true }, disk)
  } finally {
    connection.close()
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

/** Node cannot run TypeScript sources, and the file of a whole program would start the program again. */
function isStartable(url: string): boolean {
  return /\.m?js$/.test(url) && url !== pathToFileURL(process.argv[1] ?? '').href
}

// This file is also what the thread runs.
if (!isMainThread && typeof (workerData as CompactionJob | null)?.compactDatabaseAt === 'string') {
  await compactFiles((workerData as CompactionJob).compactDatabaseAt, realDisk)
}
