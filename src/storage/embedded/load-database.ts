import { statSync } from 'node:fs'
import { databaseTooNewError } from '../services/apply-migrations'
import type { Connection } from './connection'
import { decodeCommit } from './connection'
import type { Disk } from './disk'
import { type LogCursor, type ScanResult, scanSegment, startOfSegment, type WholeRecord } from './scan-segment'
import { listSegments, SegmentFile, segmentPath } from './segments'
import { isSameFile, readSnapshot, readStamp, type Snapshot } from './snapshot'
import { damagedError, missingFileError, unsyncedFileError } from './storage-errors'
import { isUnwritableError, markUnconfirmedWrite } from './unconfirmed-write'

/** A commit and its file, for the error if it cannot be applied. */
export interface LoggedRecord extends WholeRecord {
  file: string
}

/** The commits since the snapshot. The last segment is left open. */
export interface Log {
  records: LoggedRecord[]
  cursor: LogCursor
  segment: SegmentFile
  /** How far the last segment was read. An interrupted append may follow the last record. */
  scannedBytes: number
}

export interface LoadedDatabase {
  snapshot: Snapshot
  /** Null if another tool created the snapshot. */
  log: Log | null
}

/** Null if there is no database. */
export async function loadDatabase(path: string, disk: Disk): Promise<LoadedDatabase | null> {
  for (;;) {
    const stamp = readStamp(path)
    try {
      const snapshot = await readSnapshot(path)
      if (snapshot === null || snapshot.bytes.length === 0) requireNoLog(path)
      if (snapshot === null) return null
      return { snapshot, log: snapshot.segment === null ? null : await readLog(path, snapshot.segment, disk) }
    } catch (error) {
      // If the snapshot was replaced meanwhile, the segments belong to its successor.
      if (isSameFile(readStamp(path), stamp)) throw error
    }
  }
}

/** Reads the segments from `first` on, and syncs them: no process may rely on data that a power cut could revert. */
export async function readLog(path: string, first: number, disk: Disk): Promise<Log> {
  const records: LoggedRecord[] = []
  for (let number = first; ; number++) {
    const segment = SegmentFile.open(path, number)
    if (segment === null) throw missingFileError(segmentPath(path, number))
    try {
      const { found, seen } = readSegment(segment, path, number)
      if (found.records.length > 0) await syncSegment(segment, { path, disk })
      for (const record of found.records) records.push({ ...record, file: segment.path })
      if (!found.isSealed) return { records, cursor: found.cursor, segment, scannedBytes: seen }
      segment.close()
    } catch (error) {
      segment.close()
      throw error
    }
  }
}

async function syncSegment(segment: SegmentFile, { path, disk }: { path: string; disk: Disk }): Promise<void> {
  try {
    await disk.sync(segment.fd)
  } catch (error) {
    if (isUnwritableError(error)) return
    markUnconfirmedWrite(path, disk)
    throw unsyncedFileError(segment.path, error)
  }
}

function readSegment(segment: SegmentFile, path: string, number: number): { found: ScanResult; seen: number } {
  for (;;) {
    const seen = segment.size
    const found = requireSound(scanSegment(segment.read(0, seen), startOfSegment(number)), segment.path)
    if (found.isSealed || !hasContent(path, number + 1)) return { found, seen }
    // The next segment is written to only after this one is sealed: it was sealed just now, or its end is lost.
    if (segment.size === seen)
      throw damagedError(segment.path, seen, 'its end is missing, and the log continues in the next file')
  }
}

export function requireSound(found: ScanResult, file: string): ScanResult {
  if (found.hasNewerVersion) throw databaseTooNewError(file)
  if (found.flaw) throw damagedError(file, found.flaw.offset, found.flaw.what)
  return found
}

function hasContent(path: string, segment: number): boolean {
  return (statSync(segmentPath(path, segment), { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Whether there is neither a snapshot nor a log at `path`. */
export function isDatabaseMissing(path: string): boolean {
  return readStamp(path) === null && listSegmentsIfAny(path).every(({ size }) => size === 0)
}

function requireNoLog(path: string): void {
  if (listSegmentsIfAny(path).some(({ size }) => size > 0)) throw missingFileError(path)
}

function listSegmentsIfAny(path: string) {
  try {
    return listSegments(path)
  } catch {
    return [] // the folder does not exist yet
  }
}

/** Applies the commits to the state that they followed. Throws an error that names the commit that does not match. */
export function replayRecords(connection: Connection, records: readonly LoggedRecord[]): void {
  if (records.length === 0) return
  connection.runControl('begin')
  for (const { payload, file, offset } of records) {
    try {
      connection.replayCommit(decodeCommit(payload))
    } catch (error) {
      throw damagedError(file, offset, 'the commit there does not match the state before it', error)
    }
  }
  connection.runControl('commit')
}
