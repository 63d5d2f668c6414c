import { MINUTE_MS } from '../../kernel/time'

export interface AttemptLimits {
  /** How many attempts of one kind within a minute get an entry each. */
  own: number
  /** How many kinds of attempts are told apart within a minute. */
  kinds: number
}

/** The attempts of one kind within a minute that have no entry of their own. */
export interface Tally {
  times: number
  /** The entry that counts them; null until it was written. */
  entry: Promise<number> | null
}

/** What is written for an attempt: an entry of its own, or how many a common one counts now; nothing for most of a flood. */
export type Attempt = { kind: 'own' } | { kind: 'counted'; tally: Tally } | { kind: 'none' }

/**
 * Bounds the entries of calls that changed nothing, so that a flood of them cannot fill the disk. An entry that counts attempts is written
 * again whenever the number has doubled.
 */
export class AttemptLimit {
  #minute = Number.NaN
  readonly #seen = new Map<string, number>()
  readonly #tallies = new Map<string, Tally>()

  constructor(private readonly limits: AttemptLimits) {}

  /** @param kind who tries what, and with what result. */
  take(kind: string, now: number): Attempt {
    const minute = Math.floor(now / MINUTE_MS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#seen.clear()
      this.#tallies.clear()
    }
    const isKnown = this.#seen.has(kind) || this.#seen.size < this.limits.kinds
    const key = isKnown ? kind : ''
    const count = (this.#seen.get(key) ?? 0) + 1
    this.#seen.set(key, count)
    if (isKnown && count <= this.limits.own) return { kind: 'own' }
    const tally = this.#tallies.get(key) ?? { times: 0, entry: null }
    this.#tallies.set(key, tally)
    tally.times += 1
    // A power of two.
    return (tally.times & (tally.times - 1)) === 0 ? { kind: 'counted', tally } : { kind: 'none' }
  }
}
