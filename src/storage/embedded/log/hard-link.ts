import { basename, join } from 'node:path'
import { countNames } from '../../services/file-link'
import { listArchives } from '../archives'
import { isSameFile, readStamp } from '../base/base-file'
import { listSegments } from './segments'

/** Whether the base at `path`, of whose log a segment is missing, is a hard link to that of a database elsewhere, which has the log. */
export function isHardLink(path: string): boolean {
  if (listSegments(path).some(({ size }) => size > 0)) return false // the log is here, and damaged
  const base = readStamp(path)
  // A repair that was interrupted leaves its archive, which has the file too.
  const archived = listArchives(path).filter((folder) => isSameFile(readStamp(join(folder, basename(path))), base))
  return countNames(path) > archived.length + 1
}
