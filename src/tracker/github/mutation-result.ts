import * as z from 'zod'
import { type ChangeResult, readChangeResult, toFailedResult } from '../services/change-result'
import type { HttpResponse } from '../services/http-client'
import { cleanText } from '../services/response-errors'
import type { TrackerError } from '../services/tracker-error'

const Answer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.object({ message: z.string().default('') })).optional(),
})

/** Waits for the response to a mutation. A mutation whose response has both data and errors was applied in part. */
export function parseMutation<Shape extends z.ZodType>(
  sending: Promise<{ response: HttpResponse; error: TrackerError | null }>,
  shape: Shape,
): Promise<ChangeResult<z.output<Shape>>> {
  return readChangeResult(sending, (response, error) => {
    const answer = response.status < 300 ? Answer.safeParse(response.json).data : undefined
    const errors = answer?.errors ?? []
    if (error?.effect === 'unknown' || (error !== null && errors.length === 0)) return toFailedResult(error)
    if (errors.length > 0) {
      const text = errors.map(({ message }) => cleanText(message)).join(' ')
      const isPartial = Object.values(answer?.data ?? {}).some((value) => value != null)
      return isPartial
        ? { kind: 'unknown', message: `The tracker applied only a part of the change: ${text}` }
        : { kind: 'rejected', message: text }
    }
    const parsed = shape.safeParse(answer?.data)
    return parsed.success
      ? { kind: 'done', data: parsed.data }
      : { kind: 'unknown', message: 'The response of the tracker has an unexpected shape.' }
  })
}
