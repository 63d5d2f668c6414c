import { setTimeout as sleep } from 'node:timers/promises'
import { familyOf, StudioError } from '../../kernel'
import { pluralize } from '../../kernel/text/text'
import type { AppEnv } from '../app-env'
import type { Credentials } from '../call'
import type { Caller } from '../callers/caller'
import { callerKey } from '../callers/caller-limits'

/** Each open stream takes memory and a connection. */
const MAX_STREAMS = 2_000
/** The part of them that one caller may have. */
const MAX_STREAMS_OF_CALLER = MAX_STREAMS / 4
const RETRY_AFTER_SECONDS = 5

/** A stream ends within 5 seconds after its credential has. */
const CHECK_MS = 2_000
/** Credentials that are checked concurrently. */
const CHECKS_AT_ONCE = 8

type Bindings = Pick<AppEnv['Bindings'], 'call' | 'incoming'>

/** What ends when a credential ends or changes. */
interface Watched {
  sessionSecret: string | null
  check(): Promise<Credentials | null>
  rights: string
  streams: Set<AbortController>
}

/**
 * The streams of the service: how many one caller may have open, and the end of those whose credential was revoked, has expired or has
 * other rights now. Each credential is checked once for all its streams.
 */
export class OpenStreams {
  readonly #counts = new Map<string, number>()
  readonly #watched = new Map<string, Watched>()
  #count = 0
  #isChecking = false

  constructor(
    private readonly caller: Pick<Caller, 'identifyAgain'>,
    private readonly checkMs = CHECK_MS,
  ) {}

  /** Begins a stream. Throws `limited` or `unavailable`. `ended` is aborted with its credential; `done` is to be called when it ends. */
  begin(bindings: Bindings): { ended: AbortSignal; done(): void } {
    const release = this.#countStream(bindings)
    const { ended, done } = this.watch(bindings)
    return {
      ended,
      done() {
        done()
        release()
      },
    }
  }

  /** The same for a call that is limited otherwise. */
  watch({ call, incoming }: Bindings): { ended: AbortSignal; done(): void } {
    const { credentials, sessionSecret } = call
    const stream = new AbortController()
    if (credentials.user === null && credentials.dock === null) return { ended: stream.signal, done() {} }
    const { headers } = incoming
    const rights = formatRights(credentials)
    const id = JSON.stringify([headers.authorization, headers['x-api-key'], sessionSecret, rights])
    const check = () => this.caller.identifyAgain(sessionSecret, headers)
    const watched = this.#watched.get(id) ?? { sessionSecret, check, rights, streams: new Set() }
    this.#watched.set(id, watched)
    watched.streams.add(stream)
    if (!this.#isChecking) {
      this.#isChecking = true
      void this.#check()
    }
    const done = () => {
      watched.streams.delete(stream)
      if (watched.streams.size === 0 && this.#watched.get(id) === watched) this.#watched.delete(id)
    }
    return { ended: stream.signal, done }
  }

  /** Ends the streams of a browser that signs out, without waiting for the next check. */
  endSession(secret: string): void {
    for (const [id, { sessionSecret, streams }] of [...this.#watched])
      if (sessionSecret === secret) this.#endAll(id, streams)
  }

  #countStream({ call }: Bindings): () => void {
    const key = callerKey(call)
    const count = this.#counts.get(key) ?? 0
    if (count >= MAX_STREAMS_OF_CALLER) {
      call.limitedBy = 'concurrency'
      throw new StudioError('limited', `One caller may have ${pluralize(MAX_STREAMS_OF_CALLER, 'stream')} open.`, {
        hint: 'Close some of them, or share one stream between several readers.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    if (this.#count >= MAX_STREAMS)
      throw new StudioError('unavailable', 'Too many streams are open.', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    this.#count += 1
    this.#counts.set(key, count + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#count -= 1
      const left = this.#counts.get(key)! - 1
      if (left > 0) this.#counts.set(key, left)
      else this.#counts.delete(key)
    }
  }

  async #check(): Promise<void> {
    while (this.#watched.size > 0) {
      await sleep(this.checkMs, undefined, { ref: false })
      const all = [...this.#watched]
      for (let at = 0; at < all.length; at += CHECKS_AT_ONCE)
        await Promise.all(all.slice(at, at + CHECKS_AT_ONCE).map((entry) => this.#checkOne(entry)))
    }
    this.#isChecking = false
  }

  async #checkOne([id, { check, rights, streams }]: [string, Watched]): Promise<void> {
    try {
      const credentials = await check()
      if (credentials && formatRights(credentials) === rights) return
    } catch (error) {
      // A database or an issuer that does not answer says nothing about the credential.
      if (error instanceof StudioError && familyOf(error.code) === 'unavailable') return
    }
    this.#endAll(id, streams)
  }

  #endAll(id: string, streams: ReadonlySet<AbortController>): void {
    this.#watched.delete(id)
    for (const stream of streams) stream.abort(endedError())
  }
}

function formatRights({ user, dock }: Credentials): string {
  return JSON.stringify([user, dock])
}

function endedError(): StudioError {
  return new StudioError('unauthenticated', 'The credential was revoked, has expired or has other rights now.', {
    hint: 'Connect again with a valid credential.',
  })
}
