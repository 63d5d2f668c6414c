import type { QueryResult } from './connection'
import { realDisk } from './disk'
import { LogReplica } from './log-replica'

export type RunSql = <Row>(sql: string, parameters?: readonly unknown[]) => QueryResult<Row>

/**
 * Reads the state that the files hold now, with every commit that was acknowledged, for a process that does nothing else. Null where
 * there is no database, or its schema is not the one of this version. Fails as opening it does.
 * @param steps how many migrations this version knows.
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
