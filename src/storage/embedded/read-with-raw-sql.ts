import type { QueryResult } from './connection'
import { realDisk } from './disk'
import { LogReplica } from './log-replica'

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
  const replica = new LogReplica(path, { disk: realDisk, minSegmentBytes: Number.POSITIVE_INFINITY, knownSteps: steps })
  try {
    if (!(await replica.load()) || replica.steps !== steps) return null
    return read((sql, parameters) => replica.connection.run(sql, parameters))
  } finally {
    replica.unload()
  }
}
