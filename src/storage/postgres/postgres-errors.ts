import { StudioError } from '../../kernel'

/** The connection could not be made, or was lost; what it was lost in decides what is known of the transaction. */
export class ConnectionError extends Error {
  readonly phase: 'connecting' | 'working' | 'committing'

  constructor(phase: ConnectionError['phase'], cause: unknown) {
    super(`the database was lost while ${phase}`, { cause })
    this.phase = phase
  }
}

/** The five characters of the SQL standard by which the server says what is wrong; null where it was not the server. */
export function getSqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** With these the server ends the connection itself: it shuts down, it was restarted, it waited for us too long. */
export function endsConnection(error: unknown): boolean {
  return /^(08...|57P0.|25P0[34])$/.test(getSqlState(error) ?? '')
}

/** Others were in the way, and the transaction has left no trace. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(getSqlState(error) ?? '')
}

/**
 * A row of somebody else's stands in the way. Run again, the work sees it, and refuses in its own words or finds another
 * slot; what it cannot see then is a fault of ours.
 */
export function isConstraintViolation(error: unknown): boolean {
  return ['23505', '23P01', '23503'].includes(getSqlState(error) ?? '')
}

/** A fault of the server or of the way to it in words that name `where` and the mend; any other error as it is. */
export function toStudioError(error: unknown, where: string): unknown {
  const told = translateError(error, where)
  if (told instanceof StudioError && told !== error) told.places.push(where)
  return told
}

function translateError(error: unknown, where: string): unknown {
  if (error instanceof ConnectionError) {
    return error.phase === 'connecting' ? connectFailedError(error, where) : connectionLostError(error, where)
  }
  const state = getSqlState(error)
  if (isConflict(error) || state === '55P03' || state === '57014') return busyError(where, error)
  if (state === '53100')
    return new StudioError('disk_full', `The disk of ${where} is full; nothing was changed.`, {
      hint: 'Free some space on the server.',
      cause: error,
    })
  if (state === '25006')
    return new StudioError('read_only', `${where} can only be read: it is a standby, or set to be so.`, {
      hint: 'Let STUDIO_DB name the primary server.',
      cause: error,
    })
  if (state === '42501')
    return new StudioError('unavailable', `The database's role lacks a right: ${(error as Error).message}.`, {
      hint: 'Give it the rights that docs/postgresql.md lists.',
      cause: error,
    })
  if (state === '3F000')
    return new StudioError('unavailable', `${where} has no schema by the name that its address gives.`, {
      hint: 'Make it there with: create schema',
      cause: error,
    })
  if (state === '22021' || state === '22P05')
    return new StudioError('invalid', 'A text holds a character that the database cannot keep, as U+0000.', {
      hint: 'Take it out; the database must be in UTF-8 to keep all others.',
      cause: error,
    })
  return error
}

function connectFailedError({ cause }: ConnectionError, where: string): StudioError {
  const state = getSqlState(cause) ?? ''
  const message = cause instanceof Error ? cause.message : ''
  if (message.startsWith('timeout exceeded')) return busyError(where, cause)
  if (state.startsWith('28'))
    return unavailableError(`${where} refuses the user or the password.`, {
      hint: 'Set both in the address, or the password in PGPASSWORD.',
      cause,
    })
  if (state === '3D000')
    return unavailableError(`${where} does not exist on its server.`, { hint: 'Make it there with: createdb', cause })
  if (state.startsWith('53')) return busyError(where, cause)
  if (/certificate|SSL|TLS/i.test(`${message} ${codeOf(cause)}`))
    return unavailableError(`No secure connection to ${where}: ${message}.`, {
      hint: 'Name the authority by ?sslrootcert=<file>, or, where that is no risk, use ?sslmode=no-verify or disable.',
      cause,
    })
  const reason = codeOf(cause) || state
  return unavailableError(`${where} does not answer${reason ? ` (${reason})` : ''}.`, {
    hint: 'See that the server runs and that the address is right; it is asked again at the next call.',
    cause,
  })
}

function connectionLostError(fault: ConnectionError, where: string): StudioError {
  return fault.phase === 'working'
    ? unavailableError(`The connection to ${where} was lost; nothing was changed.`, {
        hint: 'Try again.',
        cause: fault.cause,
      })
    : unavailableError(`The connection to ${where} was lost while it saved: the change may have been made, or not.`, {
        hint: 'Look whether it is there before you try again.',
        cause: fault.cause,
      })
}

function busyError(where: string, cause: unknown): StudioError {
  return new StudioError('database_busy', `${where} is too busy; nothing was changed.`, {
    hint: 'Try again.',
    retryAfterSeconds: 1,
    cause,
  })
}

function unavailableError(message: string, options: { hint: string; cause: unknown }): StudioError {
  return new StudioError('unavailable', message, { ...options, retryAfterSeconds: 1 })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
