import * as z from 'zod'
import { chunksOf } from '../../../kernel/work/chunks'
import { readInHalves } from './read-in-halves'
import type { RetryingClient } from './retrying-client'
import { ResponseTooLargeError, TrackerError } from './tracker-error'

/** The tracker code of a query that the tracker can answer only in parts. */
export const TOO_LARGE_CODE = 'too-large'
/** The tracker code of a query for fields that an older server does not have; the names follow. */
export const UNKNOWN_FIELDS_CODE = 'unknown-fields:'

/** Whether the server has a field. Older servers do not have all of them. */
export type HasField<Name extends string> = (name: Name) => boolean

export interface GraphqlRequest {
  query: string
  variables: Record<string, unknown>
}

/** Why a part of an answer is absent. */
export interface PartError {
  message: string
  /** The names of fields and the indexes in lists that lead to the part. */
  path: (string | number)[]
}

const PartErrors = z.array(
  z.object({ message: z.string().catch(''), path: z.array(z.union([z.string(), z.number()])).catch([]) }),
)

/** Sends queries and mutations. Repeats them without the fields that the server does not know. */
export class GraphqlClient<NewerField extends string = never> {
  readonly #missingFields = new Set<string>()

  constructor(
    private readonly client: RetryingClient,
    /** Of the API, below the address of the tracker. */
    private readonly path: string,
  ) {}

  get limits() {
    return this.client.limits
  }

  /** Converts a time of our clock to the tracker's clock; null before its first response. */
  toTrackerTime(at: number): number | null {
    return this.client.toTrackerTime(at)
  }

  has: HasField<NewerField> = (name) => !this.#missingFields.has(name)

  async query<Shape extends z.ZodType>(
    createRequest: () => GraphqlRequest,
    shape: Shape,
    signal: AbortSignal,
  ): Promise<z.output<Shape>> {
    return (await this.queryParts(createRequest, shape, { signal })).data
  }

  /**
   * Also returns why parts of the answer are absent, where the tracker shows the others. A query that took the tracker too long is repeated,
   * unless the caller can ask for less.
   */
  async queryParts<Shape extends z.ZodType>(
    createRequest: () => GraphqlRequest,
    shape: Shape,
    { signal, isDivisible = false }: { signal: AbortSignal; isDivisible?: boolean },
  ): Promise<{ data: z.output<Shape>; errors: PartError[] }> {
    const answerShape = z.object({ data: shape, errors: PartErrors.catch([]).default([]) })
    for (let timeouts = 0; ; ) {
      const request = createRequest()
      try {
        const answer = await this.client.read(this.#post(request), answerShape, signal)
        return answer as { data: z.output<Shape>; errors: PartError[] }
      } catch (error) {
        // A concurrent request may have found the same fields missing, so what counts is whether this request would be another one now.
        if (this.#recordsMissingFields(error) && createRequest().query !== request.query) continue
        timeouts += 1
        if (isDivisible || !isTimeout(error) || timeouts >= this.limits.maxAttempts) throw error
        await this.client.pause(timeouts, signal)
      }
    }
  }

  /**
   * Sends a change once, or again if the tracker refused to process it: because of a rate limit, or because its response would have fields
   * that the server does not know.
   */
  async mutate(write: () => string, variables: Record<string, unknown>, signal: AbortSignal) {
    for (;;) {
      const query = write()
      const sent = await this.client.write(this.#post({ query, variables }), signal)
      if (!this.#recordsMissingFields(sent.error) || write() === query) return sent
    }
  }

  /** Whether the error is that the server does not know fields, which are then left out of all requests. */
  #recordsMissingFields(error: unknown): boolean {
    if (!(error instanceof TrackerError) || !error.trackerCode.startsWith(UNKNOWN_FIELDS_CODE)) return false
    for (const name of error.trackerCode.slice(UNKNOWN_FIELDS_CODE.length).split(',')) this.#missingFields.add(name)
    return true
  }

  #post(body: GraphqlRequest) {
    return { method: 'POST', path: this.path, body } as const
  }
}

/** Reads IDs in batches, and half a batch at a time if the tracker cannot answer for all of it at once. */
export async function queryInBatches(
  ids: readonly number[],
  batchSize: number,
  query: (ids: readonly number[]) => Promise<void>,
): Promise<void> {
  for (const batch of chunksOf(ids.filter(isPossibleId), batchSize)) await readInHalves(batch, query, isTooLarge)
}

/** GraphQL has integers of 32 bits. */
function isPossibleId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id < 2 ** 31
}

/** Whether the tracker stopped working on the whole query. */
function isTimeout(error: unknown): boolean {
  return error instanceof TrackerError && error.trackerCode === TOO_LARGE_CODE && error.code === 'tracker_timeout'
}

/** Whether the tracker can answer only a smaller query. */
export function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ResponseTooLargeError || (error instanceof TrackerError && error.trackerCode === TOO_LARGE_CODE)
  )
}
