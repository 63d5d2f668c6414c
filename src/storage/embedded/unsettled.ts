import { existsSync } from 'node:fs'
import { StudioError } from '../../kernel'
import { unkept } from './damage'
import type { Disk } from './disk'
import { HEAD_BYTES, recordAgain } from './record'
import type { WholeRecord } from './scan'
import { SegmentFile } from './segment-file'

/**
 * A sync that fails may have dropped what it was to write: the file still reads as it should, later syncs succeed, and a power
 * cut takes it back. So whoever hears of it leaves this mark beside the log, and nobody relies on the last record again before
 * it is written once more. Only the last one can be in doubt: a record is followed only by who knows that the disk has it.
 */
function markOf(path: string): string {
  return `${path}.log.unsettled`
}

export function isUnsettled(path: string): boolean {
  return existsSync(markOf(path))
}

export function markUnsettled(path: string, disk: Disk): void {
  try {
    disk.create(markOf(path))
  } catch {
    // it is there, or the disk takes nothing any more: then this process alone remembers
  }
}

/** Writes the last record of the log once more behind itself, where it counts if it was lost, and nothing if not. */
export async function writeAgain(path: string, last: WholeRecord | undefined, disk: Disk): Promise<void> {
  const segment = last && SegmentFile.open(path, last.head.segment, 'append')
  if (segment) {
    try {
      const record = segment.read(last.offset, last.offset + HEAD_BYTES + last.head.length)
      disk.append(segment.fd, recordAgain(record, { from: last.offset, at: segment.size }))
      await disk.sync(segment.fd)
    } finally {
      segment.close()
    }
  }
  disk.remove(markOf(path)) // where the segment is gone, a snapshot holds what stood there
}

/** Makes good what an earlier process has left in doubt. */
export async function settleMarked(path: string, last: WholeRecord | undefined, disk: Disk): Promise<void> {
  if (!isUnsettled(path)) return
  try {
    await writeAgain(path, last, disk)
  } catch (error) {
    if (!keepsNothing(error)) throw unkept(path, error)
  }
}

/** Where nothing can be written or synced, nothing of ours is on its way to the disk. */
const KEEPS_NOTHING = ['EROFS', 'EACCES', 'EPERM', 'EBADF', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

export function keepsNothing(error: unknown): boolean {
  if (error instanceof StudioError) return error.code === 'read_only'
  return error instanceof Error && 'code' in error && KEEPS_NOTHING.includes(String(error.code))
}
