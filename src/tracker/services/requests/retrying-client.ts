import type { z } from 'zod'
import type { ContentStream, StreamPosition } from '../../tracker-parts'
import { followRedirect, toContentStream } from './content-stream'
import type { HttpClient, HttpRequest, HttpResponse, OpenedResponse } from './http-client'
import type { RequestLimits } from './rate-limiter'
import { computeBackoff, RateLimiter, type Timing } from './rate-limiter'
import type { TrackerAccess } from './response-errors'
import { createInterruptedError, TrackerError } from './tracker-error'

/** A response, and the error that it means, if it means one. */
interface WriteResult {
  response: HttpResponse
  error: TrackerError | null
}

type Attempt = WriteResult | { response: null; error: TrackerError }

interface RetryingClientSettings {
  limits: RequestLimits
  http: HttpClient
  timing: Timing
  access: TrackerAccess
  /** Decides whether a response can be used; the error says why not. */
  classifyResponse(response: HttpResponse, access: TrackerAccess): TrackerError | null
  /** Called when requests wait because the tracker asked for a pause of some seconds. */
  onPause?(seconds: number): void
}

/** Shorter pauses are not worth a message, and do not extend the number of attempts. */
const MIN_REPORTED_PAUSE_MS = 1000

/** Waits when the tracker asks for a pause, and repeats only requests that are safe to repeat. */
export class RetryingClient {
  readonly limits: RequestLimits
  readonly access: TrackerAccess
  readonly #rateLimiter: RateLimiter
  /** How far the tracker's clock is ahead of ours, in milliseconds; null until its first response. */
  #clockAheadMs: number | null = null
  #reportedPauseEnd = 0

  constructor(private readonly settings: RetryingClientSettings) {
    this.limits = settings.limits
    this.access = settings.access
    this.#rateLimiter = new RateLimiter(settings.timing)
  }

  /** Sends a request that changes nothing, and repeats it after a transient error. The response has the given shape. */
  async read<Shape extends z.ZodType>(
    request: HttpRequest,
    shape: Shape,
    signal: AbortSignal,
  ): Promise<z.output<Shape>> {
    const startedAt = this.settings.timing.now()
    for (let attempt = 1; ; attempt += 1) {
      const { response, error } = await this.#sendWithToken(request, signal, true)
      if (response !== null && error === null) return parseShape(request, response, shape)
      if (!this.#canRetry(error!, attempt, startedAt)) throw error
      await this.pause(attempt, signal)
    }
  }

  /**
   * Sends a request that changes something. Repeats it only if the tracker refused to process any of it (429).
   * Throws a TrackerError if no response arrived; its `effect` says whether the tracker may have received the request.
   */
  async write(request: HttpRequest, signal: AbortSignal): Promise<WriteResult> {
    const startedAt = this.settings.timing.now()
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.#sendWithToken(request, signal, false)
      if (result.response === null) throw result.error
      const { error } = result
      const isUnprocessed = error?.code === 'tracker_throttled' && error.effect === 'none'
      if (!isUnprocessed || !this.#canRetry(error, attempt, startedAt)) return result
      await this.pause(attempt, signal)
    }
  }

  /**
   * Opens content from a position, or from its beginning if it has changed or the server cannot continue. Repeats the request after a
   * transient error. Follows redirects; the credential goes to the host of the request alone.
   */
  async openContent(
    request: Pick<HttpRequest, 'base' | 'path' | 'query' | 'isAnonymous'>,
    position: StreamPosition,
    signal: AbortSignal,
  ): Promise<ContentStream> {
    const startedAt = this.settings.timing.now()
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#openOnce({ ...request, method: 'GET' }, position, signal)
      } catch (error) {
        if (!(error instanceof TrackerError) || !this.#canRetry(error, attempt, startedAt)) throw error
        await this.pause(attempt, signal)
      }
    }
  }

  async #openOnce(first: HttpRequest, position: StreamPosition, signal: AbortSignal): Promise<ContentStream> {
    const { http } = this.settings
    const opened = await followRedirect(first, position, {
      address: this.access.address,
      open: async (request) => {
        await this.#waitForRateLimit(signal)
        const answer = await http.open(request, signal)
        const isRejected = answer.kind === 'complete' && answer.response.status === 401 && !request.isAnonymous
        const again =
          isRejected && (await http.renewToken(answer.response, signal)) ? await http.open(request, signal) : answer
        this.#observe(again)
        return again
      },
    })
    if (opened.kind === 'stream') {
      const stream = toContentStream(opened, position)
      if (stream !== null) return stream
      if (position.from === 0)
        throw new TrackerError(
          'tracker_answer',
          'The tracker answered with a part of the content instead of all of it.',
        )
      // What continues another version would damage the file.
      return this.#openOnce(first, { from: 0, version: null }, signal)
    }
    if (opened.response.status === 416 && position.from > 0)
      return this.#openOnce(first, { from: 0, version: null }, signal)
    const { classifyResponse, access } = this.settings
    throw (
      (opened.response.status === 404 ? null : classifyResponse(opened.response, access)) ??
      new TrackerError('not_found', 'The tracker does not have this content any more, or your token cannot read it.')
    )
  }

  #observe(answer: OpenedResponse): void {
    const { retryAfterMs } = answer.kind === 'stream' ? answer.head : answer.response
    this.#rateLimiter.observeRetryAfter(retryAfterMs)
  }

  /** Sends a request that changes nothing, of which the status is the answer. Throws if no response arrived. */
  async readAny(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    return (await this.write(request, signal)).response
  }

  /** Converts a time of our clock to the tracker's clock; null before its first response. */
  toTrackerTime(at: number): number | null {
    return this.#clockAheadMs === null ? null : at + this.#clockAheadMs
  }

  /** Waits before the attempt after `attempt`. */
  async pause(attempt: number, signal: AbortSignal): Promise<void> {
    const { timing } = this.settings
    await waitFor(timing.sleep(computeBackoff(attempt, this.limits, timing.random), signal), signal)
  }

  close(): Promise<void> {
    return this.settings.http.close()
  }

  /**
   * Sends the request again with another token, if the tracker has rejected the first one. A change is not sent again where the tracker
   * may have made it for an anonymous caller.
   */
  async #sendWithToken(request: HttpRequest, signal: AbortSignal, isRead: boolean): Promise<Attempt> {
    const first = await this.#send(request, signal)
    if (first.response === null || first.error?.code !== 'tracker_token') return first
    const isUnprocessed = isRead || !first.response.isForAnonymous
    const isRenewed = isUnprocessed && (await this.settings.http.renewToken(first.response, signal))
    return isRenewed ? this.#send(request, signal) : first
  }

  async #send(request: HttpRequest, signal: AbortSignal): Promise<Attempt> {
    await this.#waitForRateLimit(signal)
    const { http, timing, access, classifyResponse } = this.settings
    try {
      const response = await http.send(request, signal)
      const error = classifyResponse(response, access)
      const seconds = error?.retryAfterSeconds ?? null
      this.#rateLimiter.observeRetryAfter(response.retryAfterMs ?? (seconds === null ? null : seconds * 1000))
      if (response.serverTimeMs !== null) this.#clockAheadMs = response.serverTimeMs - timing.now()
      return { response, error }
    } catch (error) {
      if (error instanceof TrackerError) return { response: null, error }
      throw error
    }
  }

  async #waitForRateLimit(signal: AbortSignal): Promise<void> {
    const { waitMs } = this.#rateLimiter
    if (waitMs > this.limits.maxWaitMs) {
      const seconds = Math.ceil(waitMs / 1000)
      throw new TrackerError('tracker_throttled', `The tracker asks for a pause of ${seconds} s.`, {
        retryAfterSeconds: seconds,
      })
    }
    if (waitMs >= MIN_REPORTED_PAUSE_MS) this.#reportPause(waitMs)
    await waitFor(this.#rateLimiter.wait(signal), signal)
  }

  /** Reports a pause once, although several concurrent requests wait for its end. */
  #reportPause(waitMs: number): void {
    const end = this.settings.timing.now() + waitMs
    if (end < this.#reportedPauseEnd + MIN_REPORTED_PAUSE_MS) return
    this.#reportedPauseEnd = end
    this.settings.onPause?.(Math.ceil(waitMs / 1000))
  }

  /** If the tracker says when to try again, only the total time limits the attempts: it expects to answer then. */
  #canRetry(error: TrackerError, attempt: number, startedAt: number): boolean {
    if (!error.isTransient) return false
    const { waitMs } = this.#rateLimiter
    if (waitMs < MIN_REPORTED_PAUSE_MS) return attempt < this.limits.maxAttempts
    return this.settings.timing.now() + waitMs <= startedAt + this.limits.maxWaitMs
  }
}

async function waitFor(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  await waiting.catch((error) => {
    throw signal.aborted ? createInterruptedError(signal, 'none') : error
  })
}

function parseShape<Shape extends z.ZodType>(
  request: HttpRequest,
  response: HttpResponse,
  shape: Shape,
): z.output<Shape> {
  const parsed = shape.safeParse(response.json)
  if (parsed.success) return parsed.data
  throw new TrackerError('tracker_answer', `The tracker's response to ${request.path} has an unexpected shape.`, {
    cause: parsed.error,
  })
}
