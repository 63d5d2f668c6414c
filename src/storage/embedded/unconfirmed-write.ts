import { existsSync } from 'node:fs'
import { StudioError } from '../../kernel'
import type { Disk } from './disk'
import { encodeRewrite, HEAD_BYTES } from './log-record'
import type { WholeRecord } from './scan-segment'
import { SegmentFile } from './segments'
import { unsyncedFileError } from './storage-errors'

/**
 * A failed fsync may have dropped its data: the file still reads correctly, later syncs succeed, and a power cut reverts it. The process
 * that gets the error therefore creates this marker beside the log, and no process relies on the last record before it is written again.
 * Only the last record can be unconfirmed, because a writer appends only after a record that the disk has confirmed.
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
    // The marker exists, or the disk accepts no writes: then only this process remembers.
  }
}

/** Appends the last record of the log again. The copy counts if the first one was lost, and is ignored otherwise. */
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
  disk.remove(getMarkerPath(path)) // if the segment is gone, a snapshot contains its records
}

/** Confirms the write that an earlier process left unconfirmed. */
export async function confirmMarkedWrite(path: string, last: WholeRecord | undefined, disk: Disk): Promise<void> {
  if (!hasUnconfirmedWrite(path)) return
  try {
    await rewriteLastRecord(path, last, disk)
  } catch (error) {
    if (!isUnwritableError(error)) throw unsyncedFileError(path, error)
  }
}

/** With these errors no write of ours can be pending. */
const UNWRITABLE_CODES = ['EROFS', 'EACCES', 'EPERM', 'EBADF', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

export function isUnwritableError(error: unknown): boolean {
  if (error instanceof StudioError) return error.code === 'read_only'
  return error instanceof Error && 'code' in error && UNWRITABLE_CODES.includes(String(error.code))
}
