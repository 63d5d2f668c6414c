import { closeSync, constants, fstatSync, openSync, readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { errorCodeOf } from '../../../kernel/errors'
import { requireNoFolder, toFileError } from '../../services/files'
import { isHeldByOthers, statExactlyIfThere, statIfThere } from '../../services/held-files'
import { closeRemoved, type Disk, readBytes, readInto } from '../disk'

export function segmentPath(path: string, segment: number): string {
  return `${path}.log.${segment}`
}

export interface SegmentEntry {
  segment: number
  path: string
  size: number
}

/** The segments of the log, by ascending number. */
export function listSegments(path: string): SegmentEntry[] {
  const prefix = `${basename(path)}.log.`
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^[1-9]\d*$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .filter((segment) => segment < SEGMENTS_PER_ERA * ERA_COUNT)
    .sort((a, b) => a - b)
    .flatMap((segment) => {
      const file = segmentPath(path, segment)
      const stats = statIfThere(file)
      return stats ? [{ segment, path: file, size: stats.size }] : []
    })
}

/** Creates an empty segment durably. One that exists was created by a process that was interrupted. */
export async function createSegment(path: string, segment: number, disk: Disk): Promise<void> {
  try {
    disk.create(segmentPath(path, segment))
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error
  }
  await disk.syncFolder(dirname(path))
}

/** Removes the segments that a base with a log from `segment` contains. */
export function removeSegmentsBefore(path: string, segment: number, disk: Disk): void {
  for (const old of listSegments(path)) if (isBefore(old.segment, segment)) disk.remove(old.path)
}

/**
 * The upper byte of a segment number is the era. Each replacement of the database, such as a restore, begins a new era. A writer that was
 * paused can tell from it whether a new base contains its writes (same era) or replaced them. Eras wrap around: of two eras, the later
 * one is reached from the other in fewer steps.
 */
const SEGMENTS_PER_ERA = 2 ** 24
const ERA_COUNT = 2 ** 8

const getEra = (segment: number) => Math.floor(segment / SEGMENTS_PER_ERA)

export function isSameEra(one: number, other: number): boolean {
  return getEra(one) === getEra(other)
}

/** Whether `one` precedes `other` in the log. */
export function isBefore(one: number, other: number): boolean {
  const ahead = (getEra(other) - getEra(one) + ERA_COUNT) % ERA_COUNT
  return ahead === 0 ? one < other : ahead < ERA_COUNT / 2
}

/** Whether it is the last number of its era. Then the last segment of the log keeps growing. */
export function isLastOfEra(segment: number): boolean {
  return (segment + 1) % SEGMENTS_PER_ERA === 0
}

/** The first segment of a database that replaces the one whose base names `named`; null if there is no base. */
export function findFirstSegmentOfNextEra(path: string, named: number | null): number {
  const used = [...(named === null ? [] : [named]), ...listSegments(path).map(({ segment }) => segment)]
  if (used.length === 0) return 1
  const latest = used.reduce((one, other) => (isBefore(one, other) ? other : one))
  return ((getEra(latest) + 1) % ERA_COUNT) * SEGMENTS_PER_ERA + 1
}

/** On Windows, a removed file has its name until the last process has closed it. */
function isBeingRemoved(error: unknown, file: string): boolean {
  return isHeldByOthers(error) && statIfThere(file) === undefined
}

/** An open segment of the log. It only grows. */
export class SegmentFile {
  readonly path: string
  readonly fd: number
  readonly isWritable: boolean
  readonly #ino: bigint

  private constructor(path: string, fd: number, writable: boolean) {
    this.path = path
    this.fd = fd
    this.isWritable = writable
    const found = fstatSync(fd, { bigint: true })
    try {
      requireNoFolder(path, found)
    } catch (error) {
      closeSync(fd)
      throw error
    }
    this.#ino = found.ino
  }

  /** Null if there is no such segment. Only the process that seals the previous segment creates it. */
  static open(path: string, segment: number, access: 'read' | 'append' = 'read'): SegmentFile | null {
    const file = segmentPath(path, segment)
    const append = access === 'append'
    try {
      const fd = openSync(file, append ? constants.O_RDWR | constants.O_APPEND : constants.O_RDONLY)
      return new SegmentFile(file, fd, append)
    } catch (error) {
      if (errorCodeOf(error) === 'ENOENT' || isBeingRemoved(error, file)) return null
      throw toFileError(error, file)
    }
  }

  get size(): number {
    return fstatSync(this.fd).size
  }

  /** Whether the path still refers to this file. */
  get isInPlace(): boolean {
    return statExactlyIfThere(this.path)?.ino === this.#ino
  }

  /** The bytes from `from` to `to`, in `memory` if they fit. */
  read(from: number, to: number, memory?: Buffer): Buffer {
    const length = Math.max(0, to - from)
    if (memory === undefined || length > memory.length) return readBytes(this.fd, from, length)
    return memory.subarray(0, readInto(memory.subarray(0, length), this.fd, from))
  }

  close(): void {
    closeSync(this.fd)
  }

  /** The same after the file was removed. */
  closeRemoved(): void {
    closeRemoved(this.fd)
  }
}
