import { StudioError } from '../../kernel'
import { errorCodeOf, type Place } from '../../kernel/errors'
import { placeOf } from '../services/apply-migrations'

/** The connection failed or was lost. The phase determines what is known about the transaction. */
export class ConnectionError extends Error {
  readonly phase: 'connecting' | 'working' | 'committing'

  constructor(phase: ConnectionError['phase'], cause: unknown) {
    super(`the database was lost while ${phase}`, { cause })
    this.phase = phase
  }
}

/** A server that was asked as a primary follows another one. */
export class StandbyError extends Error {
  constructor() {
    super('the server is a standby')
  }
}

/** The server has committed the transaction, but its wait for a standby was cancelled. */
export class UnreplicatedError extends Error {
  constructor() {
    super('the wait for a synchronous standby was cancelled')
  }
}

/** The SQLSTATE code that the server reported; null if the error did not come from the server. */
export function getSqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** Whether the server closed the connection: it shuts down, was restarted, or the session was idle for too long. */
export function endsConnection(error: unknown): boolean {
  return /^(08...|57P0.|25P0[34])$/.test(getSqlState(error) ?? '')
}

export function isPrivilegeError(error: unknown): boolean {
  return getSqlState(error) === '42501'
}

/** Whether another transaction caused a rollback. Nothing was changed. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(getSqlState(error) ?? '')
}

/**
 * Whether a row of another transaction violates a constraint. When the work runs again, it sees that row and reports a domain error or finds
 * another slot. The same goes for a table that two processes create at once. A violation that persists is a bug.
 */
export function isConstraintViolation(error: unknown): boolean {
  return ['23505', '23P01', '23503', '42710', '42P07'].includes(getSqlState(error) ?? '')
}

/** Translates an error of the server or the connection into one that names `where` and the fix; returns any other error unchanged. */
export function toStudioError(error: unknown, where: string): unknown {
  const translated = translateError(error, where)
  if (translated instanceof StudioError && translated !== error)
    translated.places.push(placeOf(where), ...placesInServerMessage(error))
  return translated
}

const MAX_SERVER_MESSAGE_LENGTH = 300

/** What a server or a driver said about a connection, as a part of a sentence. Without credentials, and on one line. */
function quoteServerMessage(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : ''
  return message
    .replace(/(\bpostgres(?:ql)?:\/\/)[^\s@/]*@/g, '$1')
    .replace(/\bpassword=\S+/gi, 'password=…')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
    .slice(0, MAX_SERVER_MESSAGE_LENGTH)
}

/** The message names roles, hosts and addresses. */
function placesInServerMessage(error: unknown): Place[] {
  const message = error instanceof ConnectionError ? quoteServerMessage(error.cause) : ''
  return message === '' ? [] : [{ text: `: ${message}`, name: '' }]
}

function translateError(error: unknown, where: string): unknown {
  if (error instanceof ConnectionError) {
    const refusal = poolerError(error, where)
    if (refusal) return refusal
    return error.phase === 'connecting' ? connectFailedError(error, where) : connectionLostError(error, where)
  }
  if (error instanceof UnreplicatedError)
    return unavailableError(
      `${where} has saved the change, but no standby has confirmed it, so it may still be lost.`,
      {
        hint: 'Try again with the same idempotency key, or check later whether it was saved.',
        cause: error,
      },
    )
  const state = getSqlState(error)
  if (isConflict(error) || state === '55P03' || state === '57014') return busyError(where, error)
  if (state === '53100')
    return new StudioError('disk_full', `The disk of ${inSentence(where)} is full; nothing was changed.`, {
      hint: 'Free some space on the server.',
      cause: error,
    })
  if (state === '25006')
    return readOnlyError(`${where} is read-only: it is a standby, or configured as read-only.`, {
      hint: `${USE_PRIMARY} If another server is becoming the primary, try again.`,
      cause: error,
    })
  if (isPrivilegeError(error))
    return new StudioError('unavailable', `The database's role lacks a privilege: ${(error as Error).message}.`, {
      hint: 'Grant the privileges that docs/reference/postgresql.md lists.',
      cause: error,
    })
  if (state === '3F000')
    return new StudioError('unavailable', `${where} does not have the schema that its address names.`, {
      hint: 'Create it with: create schema',
      cause: error,
    })
  if (state === '22021' || state === '22P05')
    return new StudioError('invalid', 'A text contains a character that the database cannot store, such as U+0000.', {
      hint: 'Remove it. The database must use UTF-8 to store all other characters.',
      cause: error,
    })
  return error
}

/** What to set where `STUDIO_DB` names standbys only. */
export const USE_PRIMARY =
  'Set STUDIO_DB to the primary, or to all servers: postgres://user@a,b/database?target_session_attrs=read-write. Standbys that only run reads belong in STUDIO_DB_READ.'

/** How to let transactions write again. */
export const ALLOW_WRITES =
  'Set default_transaction_read_only = off where it is on: for the role, the database, the server, or in the options of the address.'

/** The error for a server that accepts no changes; null for one that does. */
export function findReadOnlyError(
  { isStandby, isReadOnly }: { isStandby: boolean; isReadOnly: boolean },
  where: string,
): StudioError | null {
  if (!isStandby && !isReadOnly) return null
  const error = isStandby
    ? readOnlyError(`${where} is a standby: nothing can be written.`, { hint: USE_PRIMARY })
    : readOnlyError(`${where} is read-only (default_transaction_read_only): nothing can be written.`, {
        hint: ALLOW_WRITES,
      })
  error.places.push(placeOf(where))
  return error
}

/** A pooler leads to a standby for a moment while servers change their roles, so the call can be tried again. */
function readOnlyError(message: string, options: { hint: string; cause?: unknown }): StudioError {
  return new StudioError('read_only', message, { ...options, retryAfterSeconds: 1 })
}

/** The error for a pooler that is configured so that studio cannot use it; null for any other error. */
function poolerError({ cause }: ConnectionError, where: string): StudioError | null {
  const message = cause instanceof Error ? cause.message : ''
  if (message.includes('statement pooling mode'))
    return unavailableError(`${where} is behind PgBouncer in statement mode, which has no transactions.`, {
      hint: 'Set pool_mode = transaction (or session) for this database in pgbouncer.ini.',
      cause,
    })
  const [, parameter] = /unsupported startup parameter: (\w+)/.exec(message) ?? []
  if (parameter === undefined) return null
  return unavailableError(
    `PgBouncer does not accept the parameter ${parameter} in the address of ${inSentence(where)}.`,
    {
      hint:
        parameter === 'options'
          ? 'Remove it from the address, and set the schema for the role: alter role <role> set search_path = <schema>'
          : 'Remove it from the address, or add it to ignore_startup_parameters in pgbouncer.ini.',
      cause,
    },
  )
}

function connectFailedError({ cause }: ConnectionError, where: string): StudioError {
  const state = getSqlState(cause) ?? ''
  const message = quoteServerMessage(cause)
  const said = message === '' ? '' : `: ${message}`
  if (cause instanceof StudioError) return cause
  if (cause instanceof StandbyError)
    return unavailableError(`No server of ${inSentence(where)} is the primary: those that answer are standbys.`, {
      hint: 'If one of them is becoming the primary, try again. Otherwise add the primary to the address in STUDIO_DB.',
      cause,
    })
  if (message.startsWith('timeout exceeded')) return busyError(where, cause)
  if (state.startsWith('28'))
    return unavailableError(`${where} rejected the user name or the password${said}.`, {
      hint: 'Set both in the address, or the password in PGPASSWORD, or in a file that STUDIO_DB_PASSWORD_FILE names.',
      cause,
    })
  if (state === '3D000')
    return unavailableError(`${where} does not exist on its server.`, { hint: 'Create it with: createdb', cause })
  if (state.startsWith('53')) return busyError(where, cause)
  if (/certificate|SSL|TLS/i.test(`${message} ${errorCodeOf(cause)}`))
    return unavailableError(`No secure connection to ${inSentence(where)}${said}.`, {
      hint: 'Specify the certificate authority with ?sslrootcert=<file>. On a trusted network you can use ?sslmode=no-verify or disable instead.',
      cause,
    })
  if (state !== '')
    return unavailableError(`${where} refused the connection${said} (${state}).`, {
      hint:
        state === '08P01'
          ? 'A pooler in between may refuse the login or have no server: check the user name, the password and its settings.'
          : 'The next call tries again. If it fails, too, check the server and the address.',
      cause,
    })
  const reason = errorCodeOf(cause)
  return unavailableError(`${where} does not answer${reason ? ` (${describeReason(reason)})` : ''}.`, {
    hint: 'Check that the server is running and that the address is correct. The next call tries again.',
    cause,
  })
}

function describeReason(code: string): string {
  return /^(ENOTFOUND|EAI_AGAIN)$/.test(code) ? `unknown host name, ${code}` : code
}

function connectionLostError({ phase, cause }: ConnectionError, where: string): StudioError {
  return phase === 'working'
    ? unavailableError(`The connection to ${inSentence(where)} was lost; nothing was changed.`, {
        hint: 'Try again.',
        cause,
      })
    : unavailableError(
        `The connection to ${inSentence(where)} was lost during the commit: the change may or may not have been saved.`,
        {
          hint: 'Check whether it was saved before you try again.',
          cause,
        },
      )
}

function inSentence(where: string): string {
  return where.replace(/^The /, 'the ')
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
