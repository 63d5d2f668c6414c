import * as z from 'zod'
import type { HttpResponse } from '../services/http-client'
import { cleanText } from '../services/response-errors'
import { TrackerError } from '../services/tracker-error'

/** What a response says about a change. */
export type MutationResult<Data> =
  | { kind: 'done'; data: Data }
  /** Nothing was changed, because GitHub rejected the values. */
  | { kind: 'rejected'; message: string }
  /** Nothing was changed, and other changes would fail in the same way. */
  | { kind: 'refused'; error: TrackerError }
  /** It may have been changed, completely or in part. */
  | { kind: 'unknown'; message: string }

const Answer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.object({ message: z.string().default('') })).optional(),
})

/** Errors that concern the token or the connection rather than the values of one change. */
const SENDER_CODES = new Set(['tracker_token', 'tracker_throttled', 'interrupted'])

/** Waits for the response to a mutation. A mutation whose response has both data and errors was applied in part. */
export async function parseMutation<Shape extends z.ZodType>(
  sending: Promise<{ response: HttpResponse; error: TrackerError | null }>,
  shape: Shape,
): Promise<MutationResult<z.output<Shape>>> {
  const { response, error } = await sending.catch((error: unknown) => {
    if (error instanceof TrackerError) return { response: null, error }
    throw error
  })
  if (response === null) {
    return error.effect === 'none' ? { kind: 'refused', error } : { kind: 'unknown', message: error.message }
  }
  if (error !== null && SENDER_CODES.has(error.code)) return { kind: 'refused', error }
  const answer = response.status < 300 ? Answer.safeParse(response.json).data : undefined
  const errors = answer?.errors ?? []
  if (errors.length > 0) {
    const text = errors.map(({ message }) => cleanText(message)).join(' ')
    const isPartial = Object.values(answer?.data ?? {}).some((value) => value != null)
    if (error?.effect === 'unknown') return { kind: 'unknown', message: error.message }
    return isPartial
      ? { kind: 'unknown', message: `The tracker applied only a part of the change: ${text}` }
      : { kind: 'rejected', message: text }
  }
  if (error !== null) {
    const { effect, message } = error
    return effect === 'unknown' ? { kind: 'unknown', message } : { kind: 'refused', error }
  }
  const parsed = shape.safeParse(answer?.data)
  return parsed.success
    ? { kind: 'done', data: parsed.data }
    : { kind: 'unknown', message: 'The response of the tracker has an unexpected shape.' }
}
