import * as z from 'zod'
import type { Rejection } from '../item-changes'
import type { HttpResponse } from './requests/http-client'
import type { RequestLimits } from './requests/rate-limiter'
import { TrackerError } from './requests/tracker-error'
import { createVerificationSignal } from './requests/verification-signal'

/** What a response says about a change that was sent. */
export type ChangeResult<Data> =
  | { kind: 'done'; data: Data }
  /** Nothing was changed, and the reason concerns this change alone: its values, or its item. */
  | ({ kind: 'rejected' } & Rejection)
  /** Nothing was changed, and other changes would fail in the same way. */
  | { kind: 'refused'; error: TrackerError }
  /** It may have been changed, completely or in part. */
  | { kind: 'unknown'; message: string }

/** Errors that concern the token or the connection rather than the values of one change. */
const SENDER_CODES = new Set(['tracker_token', 'tracker_throttled', 'interrupted'])

/**
 * Waits for the response to a change. `judge` decides on a response that arrived, whatever its status, unless its error concerns the
 * token or the connection.
 */
export async function readChangeResult<Data>(
  sending: Promise<{ response: HttpResponse; error: TrackerError | null }>,
  judge: (response: HttpResponse, error: TrackerError | null) => ChangeResult<Data>,
): Promise<ChangeResult<Data>> {
  try {
    const { response, error } = await sending
    const isRefused = error !== null && SENDER_CODES.has(error.code) && error.effect === 'none'
    return isRefused ? { kind: 'refused', error } : judge(response, error)
  } catch (error) {
    if (error instanceof TrackerError) return toFailedResult(error)
    throw error
  }
}

/** The result of a change for which only this error is known. */
export function toFailedResult(error: TrackerError): ChangeResult<never> {
  return error.effect === 'none' ? { kind: 'refused', error } : { kind: 'unknown', message: error.message }
}

type OnceResult<Data> = Exclude<ChangeResult<Data>, { kind: 'refused' }>

/**
 * The result of something that must not be sent twice. After a lost response, `find` looks whether the tracker has it; if it does not, the
 * result is unknown, because the tracker may still be working on it. Throws if nothing was changed and the values are not the reason.
 */
export async function sendOnce<Data>(
  sending: Promise<ChangeResult<Data>>,
  find: (signal: AbortSignal) => Promise<Data | null>,
  { signal, limits }: { signal: AbortSignal; limits: RequestLimits },
): Promise<OnceResult<Data>> {
  const sent = await sending
  if (sent.kind === 'refused') throw sent.error
  if (sent.kind !== 'unknown') return sent
  const found = await nullOnTrackerError(find(createVerificationSignal(signal, limits)))
  return found === null ? sent : { kind: 'done', data: found }
}

/** Like `sendOnce`, with the result in the words of the port to the tracker. */
export async function sendOnceAs<Data, Done>(
  sending: Promise<ChangeResult<Data>>,
  find: (signal: AbortSignal) => Promise<Data | null>,
  describe: (data: Data) => Done,
  options: { signal: AbortSignal; limits: RequestLimits },
) {
  const sent = await sendOnce(sending, find, options)
  return sent.kind === 'done' ? describe(sent.data) : toOutcome(sent)
}

/** What the port to the tracker says about a change that was not applied, or may not have been. */
export function toOutcome<Kind extends string>({ kind, message, code, fields }: { kind: Kind } & Rejection) {
  return { status: kind, message, ...(code && { code }), ...(fields?.length && { fields }) }
}

/** Reads what a change returned. It was applied, but what it made is unknown if the response has another shape. */
export function parseResult<Data, Parsed>(
  result: ChangeResult<Data>,
  parse: (data: Data) => Parsed,
): ChangeResult<Parsed> {
  if (result.kind !== 'done') return result
  try {
    return { kind: 'done', data: parse(result.data) }
  } catch (cause) {
    if (!(cause instanceof z.ZodError)) throw cause
    return { kind: 'unknown', message: 'The response of the tracker has an unexpected shape.' }
  }
}

/** Sends the requests of one change one after another. If one of them fails after another was applied, the result is unknown. */
export async function sendInOrder(
  requests: readonly (() => Promise<ChangeResult<unknown>>)[],
): Promise<ChangeResult<unknown>> {
  for (const [index, send] of requests.entries()) {
    const result = await send()
    if (result.kind === 'done') continue
    if (index === 0) return result
    const reason = result.kind === 'refused' ? result.error.message : result.message
    return { kind: 'unknown', message: `The tracker applied only a part of the change: ${reason}` }
  }
  return { kind: 'done', data: null }
}

/** A marker that could not be removed. */
export const MARKER_STAYS = { isGone: false, item: null } as const

/** For what the caller can do without: null if the tracker cannot be asked. */
export async function nullOnTrackerError<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof TrackerError) return null
    throw error
  }
}
