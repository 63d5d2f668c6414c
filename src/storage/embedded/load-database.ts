import { statSync } from 'node:fs'
import { databaseTooNewError } from '../services/apply-migrations'
import type { Connection } from './connection'
import type { Disk } from './disk'
import { type LogCursor, type ScanResult, scanSegment, startOfSegment, type WholeRecord } from './scan-segment'
import { listSegments, SegmentFile, segmentPath } from './segments'
import { isSameFile, readSnapshot, readStamp, type Snapshot } from './snapshot'
import { decodeCommit } from './statements'
import { damagedError, missingFileError, unsyncedFileError } from './storage-errors'
import { isUnwritableError, markUnconfirmedWrite } from './unconfirmed-write'

/** A commit, and where it stands, for the case that it cannot be applied. */
export interface LoggedRecord extends WholeRecord {
  file: string
}

/** What the log says beyond its snapshot. The segment in which it goes on is left open. */
export interface Log {
  records: LoggedRecord[]
  cursor: LogCursor
  segment: SegmentFile
  /** Up to where the segment was looked at: behind `place` there may be the rest of an append that was cut off. */
  scannedBytes: number
}

export interface LoadedDatabase {
  snapshot: Snapshot
  /** Null where the snapshot is not of our making. */
  log: Log | null
}

/** Null where there is no database. */
export async function loadDatabase(path: string, disk: Disk): Promise<LoadedDatabase | null> {
  for (;;) {
    const stamp = readStamp(path)
    try {
      const snapshot = await readSnapshot(path)
      if (snapshot === null || snapshot.bytes.length === 0) requireNoLog(path)
      if (snapshot === null) return null
      return { snapshot, log: snapshot.segment === null ? null : await readLog(path, snapshot.segment, disk) }
    } catch (error) {
      // Replaced while it was read: the segments belong to its successor.
      if (isSameFile(readStamp(path), stamp)) throw error
    }
  }
}

/** Reads the segments from `first` on, and has them on disk: nobody shall rely on what a power cut could take back. */
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
    // It is only written to when the one before it is closed: closed just now, or its end is lost.
    if (segment.size === seen)
      throw damagedError(segment.path, seen, 'its end is missing, and the log goes on in the next file')
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

/** Whether there is no database at `path`, nor the log of one. */
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
    return [] // there is no folder yet
  }
}

/** Applies the commits to the state that they followed: all of them, or an error that names the one that does not fit. */
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
