import type * as z from 'zod'
import { type ErrorDetail, StudioError } from '../errors'
import type { Hint } from '../hint'

type Issue = z.core.$ZodRawIssue

/** What is wrong with a value, to follow its name: `must be a whole number`. A schema's own message has precedence. */
export function wordsFor(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${list(issue.values.map(String))}`
    case 'too_small':
      if (issue.minimum === 1 && !issue.exact && unitOf(issue.origin) !== '') return 'must not be empty'
      return `must ${sizeOf(issue.origin)} ${issue.exact ? 'exactly' : 'at least'} ${issue.minimum}${unitOf(issue.origin)}`
    case 'too_big':
      return `must ${sizeOf(issue.origin)} ${issue.exact ? 'exactly' : 'at most'} ${issue.maximum}${unitOf(issue.origin)}`
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? `in the form of ${issue.format}`}`
    case 'unrecognized_keys':
      return 'is not a field of this call'
    default:
      return undefined
  }
}

const kinds: Record<string, string> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const formats: Record<string, string> = {
  uuid: 'a UUID',
  guid: 'a UUID',
  date: 'a date that exists, as YYYY-MM-DD',
  safeint: 'a whole number',
}

function list(choices: readonly string[]): string {
  return choices.length < 2
    ? (choices[0] ?? 'another value')
    : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

function sizeOf(origin: string): string {
  return origin === 'number' || origin === 'int' ? 'be' : 'have'
}

function unitOf(origin: string): string {
  return origin === 'string' ? ' characters' : origin === 'array' || origin === 'set' ? ' entries' : ''
}

/** @param unknown the message for a name that the schema does not have. */
export function detailsOf(error: z.ZodError, unknown = 'is not a field of this call'): ErrorDetail[] {
  return error.issues.flatMap((issue) => {
    const missing = issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
    if (missing) return [{ path: issue.path.join('.'), message: 'is required' }]
    if (issue.code !== 'unrecognized_keys') return [{ path: issue.path.join('.'), message: issue.message }]
    return issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: unknown }))
  })
}

/** The error for an invalid input, with a detail for each field, and for long lists the number of those that are not listed. */
export function inputError(invalid: ErrorDetail[], hint?: Hint | null): StudioError {
  const details = boundDetails(invalid)
  return new StudioError('invalid', textOf(details), { details, hint })
}

/** A caller corrects the first ones and sends the input again. */
const MAX_DETAILS = 20

/** A name that a caller chose may be as long as its body. */
const MAX_PATH_LENGTH = 200

/** The first ones, and the number of the others. */
export function boundDetails(details: ErrorDetail[]): ErrorDetail[] {
  // One more is shorter than the sentence that would say so. It also leaves a list that was bounded before as it is.
  const shown = details.length <= MAX_DETAILS + 1 ? details : details.slice(0, MAX_DETAILS)
  const rest = details.length - shown.length
  return [...shown.map(boundPath), ...(rest === 0 ? [] : [{ path: '', message: `${rest} more errors are not listed` }])]
}

function boundPath(detail: ErrorDetail): ErrorDetail {
  const { path } = detail
  return path.length <= MAX_PATH_LENGTH ? detail : { ...detail, path: `${path.slice(0, MAX_PATH_LENGTH)}…` }
}

function textOf(details: readonly ErrorDetail[]): string {
  const said = details.map(({ path, message }) => (path ? `${path}: ${message}` : message))
  return `Invalid input. ${said.join('; ')}`
}

/** The error with the field names of a surface. `hint` is for an invalid input without a hint. */
export function mapErrorFields(
  error: StudioError,
  { nameOf, hint }: { nameOf(path: string): string; hint: string },
): StudioError {
  const details = error.details.map((detail) => ({ ...detail, path: nameOf(detail.path) }))
  const isInputError = error.code === 'invalid' && error.message === textOf(error.details)
  if (isInputError) return inputError(details, error.hint ?? hint)
  // A message that lists its details begins each with its path.
  const message = error.details.reduce(
    (text, { path, message }, i) =>
      path ? text.replace(`${path}: ${message}`, () => `${details[i]!.path}: ${message}`) : text,
    error.message,
  )
  return error.copyWith({ message, details })
}
