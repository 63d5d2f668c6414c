import { realDisk } from '../disk'
import type { QueryResult } from './connection'
import { DatabaseFiles } from './database-files'

const READING = { disk: realDisk, minSegmentBytes: Number.POSITIVE_INFINITY, cacheBytes: 4 * 1024 * 1024 }

export type RunSql = <Row>(sql: string, parameters?: readonly unknown[]) => QueryResult<Row>

/**
 * Reads the current state of the files for a process that runs only one query: without query builder and migrations. Null if there is no
 * database, or its schema is not that of this version.
 * @param steps the number of schema steps of this version.
 */
export async function readWithRawSql<R>(
  path: string,
  { steps, read }: { steps: number; read(run: RunSql): R },
): Promise<R | null> {
  const files = new DatabaseFiles(path, { ...READING, knownSteps: steps })
  try {
    if (!(await files.load()) || files.steps !== steps) return null
    return read((sql, parameters) => files.connection.run(sql, parameters))
  } finally {
    files.unload()
  }
}
