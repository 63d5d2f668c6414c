import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { readBytes } from '../disk'
import { changedJournalError, foreignJournalError, interruptedChangeError } from '../storage-errors'

/** Files in which another SQLite program has left changes of the database. */
export function listJournals(path: string): string[] {
  return ['-wal', '-shm', '-journal'].map((suffix) => `${path}${suffix}`).filter((file) => existsSync(file))
}

/** Another tool may have left a part of its changes in another file. */
export function requireFinishedJournals(path: string, { isOurs }: { isOurs: boolean }): void {
  const { size } = statSync(`${path}-wal`, { throwIfNoEntry: false }) ?? { size: 0 }
  if (size > 0 && !isOurs) throw foreignJournalError(path)
  if (size > WAL_HEADER_BYTES) throw changedJournalError(path)
  if (isHotJournal(`${path}-journal`)) throw interruptedChangeError(path, { isOurs })
}

const WAL_HEADER_BYTES = 32

/** Whether a rollback journal must still be played back. A finished one is missing, empty, or begins with a zero. */
function isHotJournal(journal: string): boolean {
  if ((statSync(journal, { throwIfNoEntry: false })?.size ?? 0) === 0) return false
  const fd = openSync(journal, 'r')
  try {
    return readBytes(fd, 0, 1)[0] !== 0
  } finally {
    closeSync(fd)
  }
}
