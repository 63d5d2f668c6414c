import { type AnyOperation, callerOf, StudioError } from '../../kernel'
import { pluralize } from '../../kernel/text/text'
import type { Call } from '../call'
import { networkOf } from './caller'

/** A caller that was idle may send in one burst as many requests as it may send in this time. */
const BURST_SECONDS = 5

/** Beyond this many callers, those are forgotten that could send a whole burst again. */
const MAX_CALLERS = 10_000

const RETRY_AFTER_SECONDS = 1

interface Bucket {
  tokens: number
  filledAt: number
}

/**
 * What one caller may take of the service: requests per second as a token bucket, and concurrent calls that are expensive. A caller is a
 * credential, and without one an address. 0 is no limit.
 */
export class CallerLimits {
  readonly #buckets = new Map<string, Bucket>()
  readonly #underWay = new Map<string, number>()
  #sweptAt = 0

  constructor(private readonly limits: { rateLimit: number; concurrentCalls: number }) {}

  /** Counts a request. Throws `limited` for a caller whose bucket is empty. */
  countRequest(call: Call): void {
    const { rateLimit } = this.limits
    if (rateLimit === 0) return
    const now = performance.now()
    const bucket = this.#bucketOf(callerKey(call), now)
    bucket.tokens = this.#fill(bucket, now)
    bucket.filledAt = now
    if (bucket.tokens < 1) {
      call.limitedBy = 'rate'
      throw new StudioError('limited', `One caller may send ${pluralize(rateLimit, 'request')} per second.`, {
        hint: 'Send the request again after the time in Retry-After, and send requests less often.',
        retryAfterSeconds: (1 - bucket.tokens) / rateLimit,
      })
    }
    bucket.tokens--
  }

  /** Begins a call. Throws `limited` if it is expensive and the caller has too many of those under way. Returns what ends it. */
  beginCall(op: Pick<AnyOperation, 'isExpensive'>, call: Call): () => void {
    return op.isExpensive ? this.#begin(call, 'calls') : () => {}
  }

  /** The same for a request with a large body, which takes memory until it has arrived. */
  beginBody(call: Call): () => void {
    return this.#begin(call, 'bodies')
  }

  #begin(call: Call, kind: 'calls' | 'bodies'): () => void {
    const { concurrentCalls } = this.limits
    if (concurrentCalls === 0) return () => {}
    const key = `${kind} ${callerKey(call)}`
    const count = this.#underWay.get(key) ?? 0
    if (count >= concurrentCalls) {
      call.limitedBy = 'concurrency'
      const what = pluralize(
        concurrentCalls,
        kind === 'calls' ? 'such call' : 'large body',
        kind === 'calls' ? 'such calls' : 'large bodies',
      )
      throw new StudioError('limited', `One caller may have ${what} under way.`, {
        hint: 'Send the request again when one of them has finished.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    this.#underWay.set(key, count + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const left = this.#underWay.get(key)! - 1
      if (left > 0) this.#underWay.set(key, left)
      else this.#underWay.delete(key)
    }
  }

  #bucketOf(key: string, now: number): Bucket {
    const known = this.#buckets.get(key)
    if (known) return known
    if (this.#buckets.size >= MAX_CALLERS) this.#makeSpace(now)
    const bucket = { tokens: this.#burst, filledAt: now }
    this.#buckets.set(key, bucket)
    return bucket
  }

  get #burst(): number {
    return this.limits.rateLimit * BURST_SECONDS
  }

  #fill({ tokens, filledAt }: Bucket, now: number): number {
    return Math.min(this.#burst, tokens + ((now - filledAt) * this.limits.rateLimit) / 1000)
  }

  /** Looks through all at most once in the time of a burst. Between that, the caller is forgotten that was new first. */
  #makeSpace(now: number): void {
    if (now - this.#sweptAt >= BURST_SECONDS * 1000) {
      this.#sweptAt = now
      for (const [key, bucket] of this.#buckets) if (this.#fill(bucket, now) >= this.#burst) this.#buckets.delete(key)
    }
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size < MAX_CALLERS) break
      this.#buckets.delete(key)
    }
  }
}

/** Who counts as one caller. */
export function callerKey({ credentials: { user, dock }, peer }: Call): string {
  const actor = dock ?? user
  if (actor !== null) return callerOf(actor)
  return `peer ${peer.includes(':') ? networkOf(peer) : peer}`
}
