import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { RateLimiterMemory } from 'rate-limiter-flexible'
import { StudioError } from '../kernel'

const FAILURES = 10
const WITHIN_SECONDS = 60
const TRUSTED_AT_ONCE = 1_000

/**
 * Counts the credentials that were not good, by who sent them, on this machine too. Past the limit a peer's credentials are not looked
 * at any more until the minute is over. Behind a proxy all callers are one peer: a credential that was good here before is
 * looked at all the same, so that one caller's stale token does not keep out the others.
 */
export class FailedCredentials {
  #limiter: Promise<RateLimiterMemory> | null = null
  readonly #trusted = new Set<string>()

  /** Throws `limited` where the peer has sent too many. */
  async admit(peer: string, secret: string): Promise<void> {
    const counted = this.#limiter && (await (await this.#limiter).get(networkOf(peer)))
    if (!counted || counted.consumedPoints < FAILURES || this.#trusted.has(digest(secret))) return
    throw new StudioError('limited', 'Too many credentials that are not good came from this address.', {
      hint: 'Mend the credential, and try again when the time in Retry-After is over.',
      retryAfterSeconds: Math.max(1, counted.msBeforeNext / 1000),
    })
  }

  async note(peer: string): Promise<void> {
    this.#limiter ??= openLimiter()
    await (await this.#limiter).penalty(networkOf(peer))
  }

  trust(secret: string): void {
    const known = digest(secret)
    if (this.#trusted.delete(known) || this.#trusted.size < TRUSTED_AT_ONCE) this.#trusted.add(known)
    else {
      const [oldest] = this.#trusted
      this.#trusted.delete(oldest!)
      this.#trusted.add(known)
    }
  }
}

async function openLimiter(): Promise<RateLimiterMemory> {
  const { default: limiters } = await import('rate-limiter-flexible')
  return new limiters.RateLimiterMemory({ points: FAILURES, duration: WITHIN_SECONDS })
}

/** An IPv6 address counts as its network of 64 bits, of which one caller has all addresses. */
export function networkOf(peer: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(peer)
  if (mapped) return mapped[1]!
  const address = peer.replace(/%.*/s, '')
  if (!isIPv6(address)) return peer
  const [head, tail] = address.split('::') as [string, string | undefined]
  const groupsOf = (text: string | undefined) => (text ? text.split(':') : [])
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const gap = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...gap, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64')
}
