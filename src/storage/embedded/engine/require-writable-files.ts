import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { StudioError } from '../../../kernel'
import { toFileError } from '../../services/files'
import { isBefore, listSegments } from '../log/segments'
import { requireSafeFolder } from './require-safe-folder'

/**
 * Throws `read_only` unless commits are safe in the folder of the database, and this process may create files in it, and append to the last segment of its log.
 * The base itself is only replaced, so its own mode does not matter.
 */
export function requireWritableFiles(path: string): void {
  requireSafeFolder(dirname(path))
  requireWritable(dirname(path))
  const segments = listSegments(path)
  if (segments.length === 0) return
  requireWritable(segments.reduce((one, other) => (isBefore(one.segment, other.segment) ? other : one)).path)
}

function requireWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK)
  } catch (error) {
    const known = toFileError(error, path)
    throw known instanceof StudioError ? known.copyWith({ message: `Nothing can be written. ${known.message}` }) : known
  }
}
