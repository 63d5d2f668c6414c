import type { IncomingMessage } from 'node:http'
import type { Call } from './call'
import { encodingFor } from './content-encoding'

/** An answer as it was sent. */
export interface RenderedAnswer {
  /** The pattern that gave it, and whom the call was from: for the log. */
  route: string | null
  caller: string | null
  headers: Readonly<Record<string, string>>
  body: string | Buffer
}

interface KeptAnswer extends RenderedAnswer {
  /** Name and value in turn, with what every answer says: all but the id of the call. */
  lines: readonly string[]
}

const MOST_BYTES = 4 * 1024 * 1024
const LARGEST_BYTES = MOST_BYTES / 8
/** What the memory holds of an answer besides its texts, about. */
const BYTES_EACH = 1_000

/**
 * Answers to reads as they were sent, for as long as no row of the database has changed: of those alone that were made out of the rows and
 * nothing else. All are of one version of the database; with the next one they are gone.
 */
export class RenderedAnswers {
  readonly #byKey = new Map<string, KeptAnswer>()
  #version: object | null = null
  #bytes = 0

  /** `saidAlways` are headers that an answer has where it has no other of that name. */
  constructor(private readonly saidAlways: Readonly<Record<string, string>> = {}) {}

  find(version: object | null, key: string): KeptAnswer | null {
    return version !== null && version === this.#version ? (this.#byKey.get(key) ?? null) : null
  }

  /** One that is too large is not kept, and one too many drops the oldest. */
  keep(version: object, key: string, answer: RenderedAnswer): void {
    if (version !== this.#version) this.#clear(version)
    const bytes = sizeOf(key, answer)
    if (bytes > LARGEST_BYTES || this.#byKey.has(key)) return
    for (const [oldest, dropped] of this.#byKey) {
      if (this.#bytes + bytes <= MOST_BYTES) break
      this.#byKey.delete(oldest)
      this.#bytes -= sizeOf(oldest, dropped)
    }
    const lines = Object.entries({ ...this.saidAlways, ...answer.headers }).flat()
    this.#byKey.set(key, { ...answer, body: alone(answer.body), lines })
    this.#bytes += bytes
  }

  #clear(version: object): void {
    this.#byKey.clear()
    this.#bytes = 0
    this.#version = version
  }
}

/**
 * A long text as bytes: of a text, each caller who is slow to take it would have a copy. A packed answer is a few bytes of a buffer of
 * 16 KiB, which would be held as a whole.
 */
function alone(body: string | Buffer): string | Buffer {
  if (typeof body === 'string') return body.length < LONG_TEXT ? body : Buffer.from(encoder.encode(body).buffer)
  return body.buffer.byteLength === body.length ? body : Buffer.from(new Uint8Array(body).buffer)
}

/** Below this one text that is sent with its headers costs less than two writes. */
const LONG_TEXT = 16_384
const encoder = new TextEncoder()

/** A text may take two bytes a character. */
function sizeOf(key: string, { body }: RenderedAnswer): number {
  return BYTES_EACH + 2 * key.length + (typeof body === 'string' ? 2 * body.length : body.length)
}

/** All of a read that its answer depends on, beside the rows: who asks, how it is to be packed, and what for. */
export function keyOfCall({ trust, credentials }: Pick<Call, 'trust' | 'credentials'>, incoming: Asked): string {
  const { user, key } = credentials
  // Those with the same credentials may do the same, and see the same.
  const asker = user === null && key === null ? trust.verdict : JSON.stringify([trust.verdict, user, key])
  return `${encodingFor(incoming.headers['accept-encoding'])} ${asker} ${incoming.url}`
}

type Asked = Pick<IncomingMessage, 'headers' | 'url'>
