import type { Connection } from './connection'
import type { LoggedRecord } from './load-database'
import { decodeCommit } from './statements'
import { damagedError } from './storage-errors'

/** Applies the commits to the state that they followed: all of them, or an error that names the one that does not fit. */
export function replayRecords(connection: Connection, records: readonly LoggedRecord[]): void {
  if (records.length === 0) return
  connection.runControl('begin')
  for (const { payload, file, offset } of records) {
    try {
      connection.replayCommit(decodeCommit(payload))
    } catch (error) {
      throw damagedError(file, offset, 'the commit there does not fit what was before it', error)
    }
  }
  connection.runControl('commit')
}
