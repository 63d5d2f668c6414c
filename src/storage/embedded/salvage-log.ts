import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Connection } from './connection'
import { HEAD_BYTES } from './log-record'
import { decodeRecord, findNextMagic, type WholeRecord } from './scan-segment'
import type { SegmentEntry } from './segments'
import { type Commit, decodeCommit } from './statements'

export interface SalvagedLog {
  applied: number
  /** What could not be applied, in words. */
  lost: string[]
  /** Commits that are readable, and yet do not fit what is left: for a person to look at. */
  unfit: Commit[]
}

/**
 * Applies every commit that can still be read, in the order of the log. After the first one that is missing each is tried
 * for itself: it counts if it changes as many rows as it did.
 */
export function salvageLog(connection: Connection, segments: readonly SegmentEntry[]): SalvagedLog {
  const result: SalvagedLog = { applied: 0, lost: [], unfit: [] }
  for (const segment of segments) {
    let next = 0
    for (const part of splitSegment(readFileSync(segment.path))) {
      const where = `${basename(segment.path)}, at byte ${part.offset}`
      if ('length' in part) {
        result.lost.push(`${where}: ${part.length} bytes that cannot be read`)
      } else if (part.head.index >= next) {
        next = part.head.index + 1
        const commit = decodeCommit(part.payload)
        if (tryReplay(connection, commit)) result.applied++
        else {
          result.lost.push(
            `${where}: a commit of ${commit.statements.length} statements that does not fit what is left`,
          )
          result.unfit.push(commit)
        }
      }
    }
  }
  return result
}

type SegmentPart = WholeRecord | { offset: number; length: number }

function* splitSegment(bytes: Buffer): Generator<SegmentPart> {
  for (let at = 0; at < bytes.length; ) {
    const record = decodeRecord(bytes, at, 0)
    const end = record ? at + HEAD_BYTES + record.head.length : findNextMagic(bytes, at + 1)
    yield record ?? { offset: at, length: end - at }
    at = end
  }
}

function tryReplay(connection: Connection, commit: Commit): boolean {
  connection.runControl('begin')
  try {
    connection.replayCommit(commit)
    connection.runControl('commit')
    return true
  } catch {
    connection.runControl('rollback')
    return false
  }
}
