import { errorCodeOf } from '../../../kernel/errors'
import { readStamp } from '../base/base-file'
import { listSegments } from '../log/segments'
import { missingFileError } from '../storage-errors'

/** Whether there is neither a base nor a log at `path`. */
export function isDatabaseMissing(path: string): boolean {
  return readStamp(path) === null && listSegmentsIfAny(path).every(({ size }) => size === 0)
}

/** Throws if there is a log whose base is gone. */
export function requireNoLog(path: string): void {
  if (listSegmentsIfAny(path).some(({ size }) => size > 0)) throw missingFileError(path)
}

function listSegmentsIfAny(path: string) {
  try {
    return listSegments(path)
  } catch (error) {
    // The folder does not exist yet.
    if (['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error))) return []
    throw error
  }
}
