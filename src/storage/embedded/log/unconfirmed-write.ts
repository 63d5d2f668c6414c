import { existsSync } from 'node:fs'
import { StudioError } from '../../../kernel'
import type { LastRecord } from '../../services/commit-observer'
import type { Disk } from '../disk'
import { unsyncedFileError } from '../storage-errors'
import { decodeHead, encodeRewrite, HEAD_BYTES } from './log-record'
import { SegmentFile } from './segments'

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

/**
 * Appends the last record of the log again, and returns its new offset. The copy counts if the first one was lost, and is ignored
 * otherwise.
 */
export async function rewriteLastRecord(path: string, last: LastRecord | null, disk: Disk): Promise<number | null> {
  const segment = last && SegmentFile.open(path, last.segment, 'append')
  let offset: number | null = null
  if (segment) {
    try {
      const head = decodeHead(segment.read(last.offset, last.offset + HEAD_BYTES), 0)
      const record = segment.read(last.offset, last.offset + HEAD_BYTES + (head?.length ?? 0))
      let copy: Uint8Array
      // After one that was written in part, the next append says why.
      do copy = encodeRewrite(record, { from: last.offset, at: segment.size })
      while (disk.append(segment.fd, copy) < copy.length)
      await disk.sync(segment.fd)
      offset = findCopy(segment, record)
    } finally {
      segment.close()
    }
  }
  removeMarker(path, disk) // if the segment is gone, a base contains its records
  return offset
}

export function removeMarker(path: string, disk: Disk): void {
  disk.remove(getMarkerPath(path))
}

/** The place of the copy; null if another process appended meanwhile. */
function findCopy(segment: SegmentFile, record: Buffer): number | null {
  const at = segment.size - record.length
  return segment.read(at, at + record.length).equals(record) ? at : null
}

/** Confirms the write that an earlier process left unconfirmed. */
export async function confirmMarkedWrite(path: string, last: LastRecord | null, disk: Disk): Promise<void> {
  if (!hasUnconfirmedWrite(path)) return
  try {
    await rewriteLastRecord(path, last, disk)
  } catch (error) {
    if (!isUnwritableError(error)) throw unsyncedFileError(path, error)
  }
}

/** With these errors no write of ours can be pending. */
const UNWRITABLE_CODES = [
  'EROFS',
  'EACCES',
  'EPERM',
  'EBADF',
  'EINVAL',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ERR_ACCESS_DENIED',
]

export function isUnwritableError(error: unknown): boolean {
  if (error instanceof StudioError) return error.code === 'read_only'
  return error instanceof Error && 'code' in error && UNWRITABLE_CODES.includes(String(error.code))
}
