import { fdatasyncSync } from 'node:fs'
import { BaseFile, isSameFile, readStamp } from '../base/base-file'
import { type Disk, realDisk } from '../disk'
import { closeSegments, openLog, syncLog } from '../log/open-log'
import { hasUnconfirmedWrite } from '../log/unconfirmed-write'
import { LoggedPages } from './database-pages'
import { TableReader } from './table-reader'

/** Tables are read from their beginning to their end, so that few pages are read twice. */
const CACHE_BYTES = 256 * 1024
const MIGRATIONS = 'schema_migration'

/** Waits for the disk, because there is nothing else to do. */
const waitingDisk: Disk = { ...realDisk, sync: async (fd) => fdatasyncSync(fd) }

/**
 * Reads the current state of the files for a process that reads a few tables once: without SQLite, the query builder and migrations. Null
 * if there is no database, or its schema is not that of this version. Throws for everything that the full engine must handle or report.
 * @param steps the number of schema steps of this version.
 */
export async function readTables<R>(
  path: string,
  { steps, read }: { steps: number; read(tables: TableReader): R },
): Promise<R | null> {
  for (;;) {
    const stamp = readStamp(path)
    try {
      const base = BaseFile.open(path)
      return base && (await readFrom(base, { steps, read }))
    } catch (error) {
      // If the base was replaced meanwhile, the segments belong to its successor.
      if (isSameFile(readStamp(path), stamp)) throw error
    }
  }
}

async function readFrom<R>(
  base: BaseFile,
  { steps, read }: { steps: number; read(tables: TableReader): R },
): Promise<R | null> {
  try {
    if (base.footer === null) return null
    const log = openLog(base.path, base.footer)
    try {
      await syncLog(base.path, log, waitingDisk)
      if (hasUnconfirmedWrite(base.path)) return null
      const source = { segments: () => log.segments, end: () => log.cursor.index }
      const tables = new TableReader(new LoggedPages(base, source, { cacheBytes: CACHE_BYTES }))
      return tables.has(MIGRATIONS) && tables.count(MIGRATIONS) === steps ? read(tables) : null
    } finally {
      closeSegments(log.segments)
    }
  } finally {
    base.close()
  }
}
