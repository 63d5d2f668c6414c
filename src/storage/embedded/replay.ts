import type { Connection } from './connection'
import { damaged } from './damage'
import type { LoggedRecord } from './load'
import { decodeCommit } from './statements'

/** Applies the commits to the state that they followed: all of them, or an error that names the one that does not fit. */
export function replay(connection: Connection, records: readonly LoggedRecord[]): void {
  if (records.length === 0) return
  connection.control('begin')
  for (const { payload, file, offset } of records) {
    try {
      connection.repeat(decodeCommit(payload))
    } catch (error) {
      throw damaged(file, offset, 'the commit there does not fit what was before it', error)
    }
  }
  connection.control('commit')
}
