import { readdirSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Disk } from './disk'

/** The log is a row of files with rising numbers, of which a number is never used again. */
export function segmentPath(path: string, segment: number): string {
  return `${path}.log.${segment}`
}

export interface SegmentEntry {
  segment: number
  path: string
  size: number
}

/** The segments that are there, by number. */
export function listSegments(path: string): SegmentEntry[] {
  const prefix = `${basename(path)}.log.`
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b)
    .flatMap((segment) => {
      const file = segmentPath(path, segment)
      const stats = statSync(file, { throwIfNoEntry: false })
      return stats ? [{ segment, path: file, size: stats.size }] : []
    })
}

/** Makes an empty segment that lasts. One that is there already is the leaving of somebody who came no further. */
export async function createSegment(path: string, segment: number, disk: Disk): Promise<void> {
  try {
    disk.create(segmentPath(path, segment))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  await disk.syncFolder(dirname(path))
}

/** Removes what a snapshot that goes on in `segment` has made superfluous. */
export function removeSegmentsBefore(path: string, segment: number, disk: Disk): void {
  for (const old of listSegments(path)) if (old.segment < segment) disk.remove(old.path)
}

/**
 * Numbers below and above a multiple of this belong to different databases, of which one has taken the place of the other.
 * A writer that was paused sees by it whether a new snapshot holds what it had written, or has done away with it.
 */
const ERA = 2 ** 20

export function areOfOneEra(one: number, other: number): boolean {
  return Math.floor(one / ERA) === Math.floor(other / ERA)
}

/** Where the log of a database begins that takes the place of the one whose snapshot names `named`, or of none. */
export function firstSegmentOfNextEra(path: string, named: number | null): number {
  const used = [named ?? 0, ...listSegments(path).map(({ segment }) => segment)]
  return used.every((segment) => segment === 0) ? 1 : (Math.floor(Math.max(...used) / ERA) + 1) * ERA + 1
}
