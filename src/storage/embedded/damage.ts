import { StudioError } from '../../kernel'

const MEND = 'Bring back a copy: studio restore <file>; or save all that can still be read: studio doctor --repair'

/** `offset` is where in the file; null stands for the whole of it. */
export function damaged(file: string, offset: number | null, what: string, cause?: unknown): StudioError {
  const where = offset === null ? file : `${file}, at byte ${offset}`
  return new StudioError('database_damaged', `The database is damaged: ${where}: ${what}.`, {
    hint: MEND,
    details: [{ path: '', message: what, file, offset }],
    cause,
  })
}

export function missing(file: string): StudioError {
  return damaged(file, null, 'the file is missing, and the others need it')
}

export function notADatabase(file: string): StudioError {
  return new StudioError('database_damaged', `${file} is not a database.`, {
    hint: 'Move it aside and run the command again, or set STUDIO_DB to another file.',
  })
}

export function foreignJournal(file: string): StudioError {
  return new StudioError('invalid', `Another tool has left a part of ${file} in ${file}-wal.`, {
    hint: `Have it put back: sqlite3 ${file} 'pragma wal_checkpoint(truncate); pragma journal_mode = delete'`,
  })
}

/** The disk took the bytes, and failed when it was to keep them. */
export function unconfirmed(file: string, error: unknown): StudioError {
  const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  return new StudioError(isFull ? 'disk_full' : 'unavailable', `The disk did not confirm a write to ${file}.`, {
    hint: 'It may have been kept or not: look before you repeat it.',
    cause: error,
  })
}

export function overtaken(): StudioError {
  return new StudioError('database_busy', 'Other processes wrote faster, again and again; nothing was changed.', {
    hint: 'Try again.',
    retryAfterSeconds: 1,
  })
}
