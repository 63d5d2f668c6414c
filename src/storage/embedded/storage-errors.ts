import { hint, suggest } from '../../kernel'
import { type Place, StudioError } from '../../kernel/errors'

/** The file and the write-ahead log that SQLite has beside it. */
function placesOf(file: string): Place[] {
  return [
    { text: file, name: 'the database file' },
    { text: `${file}-wal`, name: 'its write-ahead log' },
  ]
}

const REPAIR_HINT = hint`Restore a backup: ${suggest('storage.restore', { file: '<file>' })}. Or save all data that can be read: ${suggest('system.doctor', { repair: true })}`

/** @param offset the position in the file; null if the whole file is damaged. */
export function damagedError(file: string, offset: number | null, what: string, cause?: unknown): StudioError {
  const where = offset === null ? file : `${file}, at byte ${offset}`
  return new StudioError('database_damaged', `The database is damaged: ${where}: ${what}.`, {
    hint: REPAIR_HINT,
    details: [{ path: '', message: what, file, offset }],
    places: placesOf(file),
    cause,
  })
}

/** @param what what another program has done, as a sentence. */
export function changedError(file: string, what: string): StudioError {
  return new StudioError('database_changed', `${what} Only studio may write to this file.`, {
    hint: CHANGED_HINT,
    places: placesOf(file),
  })
}

const CHANGED_HINT = hint`Restore a backup: ${suggest('storage.restore', { file: '<file>' })}. Or keep all that studio has saved and that can be read: ${suggest('system.doctor', { repair: true })}`

/** Whether files are not what studio wrote, so that a repair is needed. */
export function needsRepair(error: unknown): error is StudioError {
  return error instanceof StudioError && (error.code === 'database_damaged' || error.code === 'database_changed')
}

/** Another program has written to the write-ahead log of SQLite, of which the database knows nothing. */
export function changedJournalError(file: string): StudioError {
  return new StudioError(
    'database_changed',
    `Another program has changed ${file}: its changes are in ${file}-wal. Only studio may write to this file.`,
    {
      hint: hint`Close that program. To leave its changes out and archive them: ${suggest('system.doctor', { repair: true })}. To write them into the file instead: sqlite3 ${file} 'pragma wal_checkpoint(truncate); pragma journal_mode = delete'`,
      places: placesOf(file),
    },
  )
}

export function missingFileError(file: string): StudioError {
  return damagedError(file, null, 'the file is missing, and the other files depend on it')
}

/** The log is beside the name under which the database was created, and has it. */
export function hardLinkError(file: string): StudioError {
  return new StudioError(
    'invalid',
    `${file} is a hard link: the file has another name too, and the log of the database is not beside this one.`,
    {
      hint: hint`Set STUDIO_DB to the name with the log, or make a symbolic link to it. If the log is lost, put a copy of the file in its place, and save what can be read: ${suggest('system.doctor', { repair: true })}`,
      places: placesOf(file),
    },
  )
}

export function notADatabaseError(file: string): StudioError {
  return new StudioError('database_damaged', `${file} is not a database.`, {
    hint: hint`${REPAIR_HINT}. Or set STUDIO_DB to another file.`,
    places: placesOf(file),
  })
}

export function foreignJournalError(file: string): StudioError {
  return new StudioError('invalid', `Another tool left a part of ${file} in ${file}-wal.`, {
    hint: `Write it back: sqlite3 ${file} 'pragma wal_checkpoint(truncate); pragma journal_mode = delete'`,
    places: placesOf(file),
  })
}

/** The rollback journal contains the previous state. Without it, the file is in the middle of a change. */
export function interruptedChangeError(file: string, { isOurs }: { isOurs: boolean }): StudioError {
  return new StudioError(
    isOurs ? 'database_changed' : 'invalid',
    `Another tool was interrupted while it changed ${file}, or changes it now.`,
    {
      hint: `Roll the change back: sqlite3 ${file} 'select count(*) from sqlite_schema'`,
      places: placesOf(file),
    },
  )
}

function classifyDiskError(error: unknown): 'disk_full' | 'unavailable' {
  const isFull = error instanceof Error && 'code' in error && DISK_FULL_CODES.includes(String(error.code))
  return isFull ? 'disk_full' : 'unavailable'
}

const DISK_FULL_CODES = ['ENOSPC', 'EDQUOT', 'EFBIG', 'disk_full']

/** The disk accepted the bytes, but the sync failed. */
export function unconfirmedWriteError(file: string, error: unknown): StudioError {
  return new StudioError(classifyDiskError(error), `The disk did not confirm a write to ${file}.`, {
    hint: 'The change may or may not have been saved. Check before you repeat it.',
    places: placesOf(file),
    cause: error,
  })
}

/** The sync of an earlier write failed. */
export function unsyncedFileError(file: string, error: unknown): StudioError {
  return new StudioError(classifyDiskError(error), `The disk does not confirm the content of ${file}.`, {
    hint: 'Check the system log for disk errors, and try again. Nothing was changed.',
    places: placesOf(file),
    cause: error,
  })
}

export function tooManyConflictsError(): StudioError {
  return new StudioError('database_busy', 'Other processes kept committing first; nothing was changed.', {
    hint: 'Try again.',
    retryAfterSeconds: 1,
  })
}
