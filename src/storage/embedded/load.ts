import { statSync } from 'node:fs'
import { tooNew } from '../migration'
import { damaged, missing, unkept } from './damage'
import type { Disk } from './disk'
import { type Place, type Scan, scan, startOf, type WholeRecord } from './scan'
import { SegmentFile } from './segment-file'
import { listSegments, segmentPath } from './segments'
import { isSame, readSnapshot, type Snapshot, stampOf } from './snapshot'
import { keepsNothing, markUnsettled } from './unsettled'

/** A commit, and where it stands, for the case that it cannot be applied. */
export interface LoggedRecord extends WholeRecord {
  file: string
}

/** What the log says beyond its snapshot. The segment in which it goes on is left open. */
export interface Log {
  records: LoggedRecord[]
  place: Place
  segment: SegmentFile
  /** Up to where the segment was looked at: behind `place` there may be the rest of an append that was cut off. */
  seen: number
}

export interface LoadedDatabase {
  snapshot: Snapshot
  /** Null where the snapshot is not of our making. */
  log: Log | null
}

/** Null where there is no database. */
export async function loadDatabase(path: string, disk: Disk): Promise<LoadedDatabase | null> {
  for (;;) {
    const stamp = stampOf(path)
    try {
      const snapshot = await readSnapshot(path)
      if (snapshot === null || snapshot.bytes.length === 0) requireNoLog(path)
      if (snapshot === null) return null
      return { snapshot, log: snapshot.segment === null ? null : await readLog(path, snapshot.segment, disk) }
    } catch (error) {
      // Replaced while it was read: the segments belong to its successor.
      if (isSame(stampOf(path), stamp)) throw error
    }
  }
}

/** Reads the segments from `first` on, and has them on disk: nobody shall rely on what a power cut could take back. */
export async function readLog(path: string, first: number, disk: Disk): Promise<Log> {
  const records: LoggedRecord[] = []
  for (let number = first; ; number++) {
    const segment = SegmentFile.open(path, number)
    if (segment === null) throw missing(segmentPath(path, number))
    try {
      const { found, seen } = readSegment(segment, path, number)
      if (found.records.length > 0) await keep(segment, { path, disk })
      for (const record of found.records) records.push({ ...record, file: segment.path })
      if (!found.sealed) return { records, place: found.place, segment, seen }
      segment.close()
    } catch (error) {
      segment.close()
      throw error
    }
  }
}

async function keep(segment: SegmentFile, { path, disk }: { path: string; disk: Disk }): Promise<void> {
  try {
    await disk.sync(segment.fd)
  } catch (error) {
    if (keepsNothing(error)) return
    markUnsettled(path, disk)
    throw unkept(segment.path, error)
  }
}

function readSegment(segment: SegmentFile, path: string, number: number): { found: Scan; seen: number } {
  for (;;) {
    const seen = segment.size
    const found = requireSound(scan(segment.read(0, seen), startOf(number)), segment.path)
    if (found.sealed || !hasContent(path, number + 1)) return { found, seen }
    // It is only written to when the one before it is closed: closed just now, or its end is lost.
    if (segment.size === seen)
      throw damaged(segment.path, seen, 'its end is missing, and the log goes on in the next file')
  }
}

export function requireSound(found: Scan, file: string): Scan {
  if (found.newerVersion) throw tooNew(file)
  if (found.flaw) throw damaged(file, found.flaw.offset, found.flaw.what)
  return found
}

function hasContent(path: string, segment: number): boolean {
  return (statSync(segmentPath(path, segment), { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Whether there is no database at `path`, nor the log of one. */
export function isNothingAt(path: string): boolean {
  return stampOf(path) === null && listSegmentsIfAny(path).every(({ size }) => size === 0)
}

function requireNoLog(path: string): void {
  if (listSegmentsIfAny(path).some(({ size }) => size > 0)) throw missing(path)
}

function listSegmentsIfAny(path: string) {
  try {
    return listSegments(path)
  } catch {
    return [] // there is no folder yet
  }
}
