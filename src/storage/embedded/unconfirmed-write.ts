import { existsSync } from 'node:fs'
import { StudioError } from '../../kernel'
import type { Disk } from './disk'
import { encodeRewrite, HEAD_BYTES } from './log-record'
import type { WholeRecord } from './scan-segment'
import { SegmentFile } from './segment-file'
import { unsyncedFileError } from './storage-errors'

/**
 * A sync that fails may have dropped what it was to write: the file still reads as it should, later syncs succeed, and a power
 * cut takes it back. So whoever hears of it leaves this mark beside the log, and nobody relies on the last record again before
 * it is written once more. Only the last one can be in doubt: a record is followed only by who knows that the disk has it.
 */
function getMarkerPath(path: string): string {
  return `${path}.log.unsettled`
}

export function hasUnconfirmedWrite(path: string): boolean {
  return existsSync(getMarkerPath(path))
}

export function markUnconfirmedWrite(path: string, disk: Disk): void {
  try {
    disk.create(getMarkerPath(path))
  } catch {
    // it is there, or the disk takes nothing any more: then this process alone remembers
  }
}

/** Writes the last record of the log once more behind itself, where it counts if it was lost, and nothing if not. */
export async function rewriteLastRecord(path: string, last: WholeRecord | undefined, disk: Disk): Promise<void> {
  const segment = last && SegmentFile.open(path, last.head.segment, 'append')
  if (segment) {
    try {
      const record = segment.read(last.offset, last.offset + HEAD_BYTES + last.head.length)
      disk.append(segment.fd, encodeRewrite(record, { from: last.offset, at: segment.size }))
      await disk.sync(segment.fd)
    } finally {
      segment.close()
    }
  }
  disk.remove(getMarkerPath(path)) // where the segment is gone, a snapshot holds what stood there
}

/** Makes good what an earlier process has left in doubt. */
export async function confirmMarkedWrite(path: string, last: WholeRecord | undefined, disk: Disk): Promise<void> {
  if (!hasUnconfirmedWrite(path)) return
  try {
    await rewriteLastRecord(path, last, disk)
  } catch (error) {
    if (!isUnwritableError(error)) throw unsyncedFileError(path, error)
  }
}

/** Where nothing can be written or synced, nothing of ours is on its way to the disk. */
const UNWRITABLE_CODES = ['EROFS', 'EACCES', 'EPERM', 'EBADF', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

export function isUnwritableError(error: unknown): boolean {
  if (error instanceof StudioError) return error.code === 'read_only'
  return error instanceof Error && 'code' in error && UNWRITABLE_CODES.includes(String(error.code))
}
