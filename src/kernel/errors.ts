import { formatHint, type Hint, mapHintTexts, type SuggestedCall } from './hint'
import { mapValues } from './json'
import { capitalize } from './text/text'

/**
 * Every way a call can fail, with its exit code and its HTTP status.
 * A narrower code (`duplicate_reference`) belongs to a family and shares its exit code and status.
 */

export const families = {
  internal: { exit: 1, http: 500 },
  invalid: { exit: 2, http: 400 },
  not_found: { exit: 3, http: 404 },
  unauthenticated: { exit: 4, http: 401 },
  forbidden: { exit: 4, http: 403 },
  conflict: { exit: 5, http: 409 },
  limited: { exit: 6, http: 429 },
  unavailable: { exit: 7, http: 503 },
  timeout: { exit: 7, http: 504 },
  interrupted: { exit: 130, http: 499 },
} as const

/** Exit code of a batch of which some entries were not applied: a result, not an error. */
export const EXIT_PARTIAL = 8

export type Family = keyof typeof families

const narrower = {
  // A call of any module that would compute for too long.
  too_complex: 'invalid',
  // What a call would do is not what a dry run of it has shown.
  plan_changed: 'conflict',
  // docks
  date_in_past: 'invalid',
  duplicate_reference: 'invalid',
  facility_closed: 'invalid',
  fully_booked: 'invalid',
  no_slot: 'invalid',
  slot_unavailable: 'invalid',
  booking_refused: 'invalid',
  invalid_state: 'conflict',
  // storage
  // A server recovers when the file of its database is back.
  database_damaged: { family: 'internal', http: 503 },
  // Another program has written to the files of the database.
  database_changed: { family: 'internal', http: 503 },
  database_too_new: { family: 'conflict', http: 503 },
  database_busy: 'unavailable',
  disk_full: 'unavailable',
  read_only: 'unavailable',
  // tracker
  tracker_unavailable: 'unavailable',
  tracker_timeout: 'timeout',
  tracker_throttled: 'limited',
  tracker_token: 'unauthenticated',
  tracker_forbidden: 'forbidden',
  tracker_answer: 'unavailable',
  stale_revision: 'conflict',
  // language model
  llm_unavailable: 'unavailable',
  llm_timeout: 'timeout',
  llm_token: 'unauthenticated',
  llm_answer: 'unavailable',
  // The same request would be refused again.
  llm_refused: 'invalid',
  llm_model_missing: 'not_found',
  prompt_too_long: 'invalid',
  // the HTTP surface, whose statuses are finer than the families
  method_not_allowed: { family: 'invalid', http: 405 },
  payload_too_large: { family: 'invalid', http: 413 },
  unsupported_media_type: { family: 'invalid', http: 415 },
  request_timeout: { family: 'invalid', http: 408 },
  headers_too_large: { family: 'invalid', http: 431 },
} as const satisfies Record<string, Family | { family: Family; http: number }>

export type ErrorCode = Family | keyof typeof narrower

export function familyOf(code: ErrorCode): Family {
  if (code in families) return code as Family
  const entry = narrower[code as keyof typeof narrower]
  return typeof entry === 'string' ? entry : entry.family
}

/** The narrower codes of a family. */
export function narrowCodes(family: Family): ErrorCode[] {
  return (Object.keys(narrower) as ErrorCode[]).filter((code) => familyOf(code) === family)
}

export function exitCodeOf(code: ErrorCode): number {
  return families[familyOf(code)].exit
}

export function httpStatusOf(code: ErrorCode): number {
  const entry = code in narrower ? narrower[code as keyof typeof narrower] : undefined
  return typeof entry === 'object' ? entry.http : families[familyOf(code)].http
}

/** After this time, another call may find again what was missing. */
const UNAVAILABLE_RETRY_SECONDS = 5

/** The header Retry-After of the answer to a call that failed, in seconds; null if it has none. Every 503 has one. */
export function retryAfterOf({ code, retryAfterSeconds }: StudioError): number | null {
  const seconds = retryAfterSeconds ?? (httpStatusOf(code) === 503 ? UNAVAILABLE_RETRY_SECONDS : null)
  return seconds === null ? null : Math.ceil(seconds)
}

export interface ErrorDetail {
  /** The field in the caller's names, dotted: `doors.0.name`; empty for the whole input. */
  path: string
  message: string
  [extra: string]: unknown
}

/** A file or an address of this machine, which a remote caller must not learn. */
export interface Place {
  /** As it is in the texts of an error. */
  text: string
  /** What a remote caller reads instead: `the database file`. Empty to leave it out. */
  name: string
}

export interface ErrorOptions {
  /** How to fix the error, with the next call if there is one. */
  hint?: Hint | null
  details?: ErrorDetail[]
  cause?: unknown
  /** Files and addresses of this machine in its texts. They are hidden from remote callers. */
  places?: Place[]
  /** Seconds to wait before a `limited` or `unavailable` call is tried again. */
  retryAfterSeconds?: number | null
}

/** A text of a caller in a message may be as long as a request. What is wrong with it may follow it. */
const [MAX_BEGINNING, MAX_END] = [9_000, 1_000]

function boundText(text: string): string {
  const omitted = text.length - MAX_BEGINNING - MAX_END
  if (omitted <= 0) return text
  return `${text.slice(0, MAX_BEGINNING)}… (${omitted} characters) …${text.slice(-MAX_END)}`
}

/** The only error whose message reaches a caller; any other error is reported as `internal`. */
export class StudioError extends Error {
  override readonly name = 'StudioError'
  readonly code: ErrorCode
  readonly hint: Hint | null
  readonly details: ErrorDetail[]
  readonly places: Place[]
  readonly retryAfterSeconds: number | null

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(boundText(message), options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint ?? null
    this.details = (options.details ?? []).map((one) => ({ ...one, message: boundText(one.message) }))
    this.places = options.places ?? []
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }

  /** The same error with some of it replaced. */
  copyWith({ message = this.message, ...changes }: { message?: string } & ErrorOptions): StudioError {
    const { code, hint, details, places, retryAfterSeconds, cause, stack } = this
    const copy = new StudioError(code, message, { hint, details, places, retryAfterSeconds, cause, ...changes })
    copy.stack = stack
    return copy
  }
}

/** The error with its hint as one text. `formatCall` formats the suggested calls. */
export async function withPlainHint(
  error: StudioError,
  formatCall: (call: SuggestedCall) => string | Promise<string>,
): Promise<StudioError> {
  if (error.hint === null || typeof error.hint === 'string') return error
  // The operation of a call is loaded to write it. If that fails, the error must reach its caller all the same.
  const format = async (call: SuggestedCall) => {
    try {
      return await formatCall(call)
    } catch {
      return plainText([call])
    }
  }
  return error.copyWith({ hint: await formatHint(error.hint, format) })
}

/** The error body that every surface shows. */
export interface ErrorBody {
  status: 'error'
  code: ErrorCode
  message: string
  hint: string | null
  details: ErrorDetail[]
  requestId: string | null
}

/** The hint should be plain text already, because only a surface knows how its calls are written. */
export function errorBody(error: unknown, requestId: string | null = null): ErrorBody {
  const known = asStudioError(error)
  return {
    status: 'error',
    code: known.code,
    message: known.message,
    hint: known.hint === null ? null : plainText(known.hint),
    details: known.details,
    requestId,
  }
}

function plainText(hint: Hint): string {
  if (typeof hint === 'string') return hint
  return hint
    .map((part) => (typeof part === 'string' ? part : `${part.operation} ${JSON.stringify(part.input)}`))
    .join('')
}

/** The error for a remote caller, which names the files and addresses of this machine by what they are. */
export function withoutPlaces(error: StudioError): StudioError {
  if (error.places.length === 0) return error
  // A place may be a part of another one.
  const places = error.places.filter(({ text }) => text !== '').sort((a, b) => b.text.length - a.text.length)
  const replace = (text: string, nameAt: (place: Place, before: string) => string) =>
    places.reduce(
      (rest, place) => rest.split(place.text).reduce((before, after) => `${before}${nameAt(place, before)}${after}`),
      text,
    )
  const hide = (text: string) =>
    replace(text, ({ name }, before) => (/(^|[.?!] )$/.test(before) ? capitalize(name) : name))
  // A hint may be a command line, which needs a placeholder.
  const hideInHint = (text: string) => replace(text, ({ name }) => `<${name.replace(/^(an?|the) /, '')}>`)
  return error.copyWith({
    message: hide(error.message),
    hint: error.hint && mapHintTexts(error.hint, hideInHint),
    details: error.details.map(
      (detail) => mapValues(detail, (value) => (typeof value === 'string' ? hide(value) : value)) as ErrorDetail,
    ),
    places: [],
  })
}

/** What the system has too little of for a call, by the code of its error. The same call can succeed a moment later. */
const exhaustedResources = new Map([
  ['EMFILE', 'This process cannot open more files and connections.'],
  ['ENFILE', 'The system cannot open more files and connections.'],
  ['ENOMEM', 'The system has no free memory.'],
  ['ENOBUFS', 'The system has no free memory for connections.'],
])

const EXHAUSTED_RETRY_SECONDS = 5

/** The code of an exhausted resource, even where the error of the system is only a cause of this one; null for any other error. */
export function findExhaustedResource(error: unknown, depth = 0): string | null {
  if (!(error instanceof Error) || depth > 8) return null
  const code = errorCodeOf(error)
  if (exhaustedResources.has(code)) return code
  const causes = error instanceof AggregateError ? [error.cause, ...error.errors] : [error.cause]
  for (const cause of causes) {
    const found = findExhaustedResource(cause, depth + 1)
    if (found !== null) return found
  }
  return null
}

/** The error of a call that ran out of a system resource, regardless of its own error; null for any other error. */
function toExhaustedError(error: unknown): StudioError | null {
  const code = findExhaustedResource(error)
  if (code === null) return null
  // It says more: for example that a write may have happened.
  if (error instanceof StudioError && error.code === 'unavailable')
    return error.retryAfterSeconds === null ? error.copyWith({ retryAfterSeconds: EXHAUSTED_RETRY_SECONDS }) : error
  return new StudioError('unavailable', exhaustedResources.get(code)!, {
    hint: code.endsWith('FILE') ? FILES_HINT : 'Try again.',
    retryAfterSeconds: EXHAUSTED_RETRY_SECONDS,
    cause: error,
  })
}

const FILES_HINT = 'Try again. If it happens often, raise the limit on open files: ulimit -n'

/** An unexpected error loses its message, because that may contain a path, a secret or a stack. */
export function asStudioError(error: unknown): StudioError {
  const exhausted = toExhaustedError(error)
  if (exhausted !== null) return exhausted
  if (error instanceof StudioError) return error
  if (isNamed(error, 'AbortError')) return new StudioError('interrupted', 'Interrupted.', { cause: error })
  if (isNamed(error, 'TimeoutError')) return new StudioError('timeout', 'It took too long.', { cause: error })
  if (isCurrentFolderGone(error))
    return new StudioError('invalid', 'The current folder was removed.', {
      hint: 'Change to another folder, and run it again.',
      cause: error,
    })
  return new StudioError('internal', 'An internal error occurred in studio. Nothing else was changed.', {
    hint: 'Run the command again with STUDIO_DEBUG=1 to see where it happened.',
    cause: error,
  })
}

/** Node reads the current folder when it is asked for, even to resolve a relative path. */
function isCurrentFolderGone(error: unknown): boolean {
  return errorCodeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'uv_cwd'
}

/** The code of a Node system error (`ENOENT`) or of a library that marks its errors the same way; empty where there is none. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The codes of a host that cannot be found or that accepts no connection. */
export const UNREACHABLE_CODES: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
])

/** The code of the system or of the HTTP client, also of an error that combines several connection attempts. */
export function findNetworkErrorCode(error: unknown): string {
  const code = errorCodeOf(error)
  if (code !== '' && code !== 'UND_ERR') return code
  if (error instanceof AggregateError && error.errors.length > 0) return findNetworkErrorCode(error.errors[0])
  return error instanceof Error ? findNetworkErrorCode(error.cause) : ''
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name
}
