import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { MiddlewareHandler } from 'hono'
import type { Database } from '../../storage'
import type { AppEnv } from '../app-env'
import type { Call, Validity } from '../call'
import { chooseEncoding, matchesEtag, notModifiedHeaders } from './response-body'

interface CachedResponse {
  /** When it stops being valid, by `performance.now()`; null if it is valid until a row changes. */
  expiresAt: number | null
  /** The matched pattern and the caller's name: for the log. */
  route: string | null
  caller: string | null
  etag: string | undefined
  /** Names and values in turn, without the request's id: of the whole response, and of a 304 in its place. */
  headers: readonly string[]
  notModifiedHeaders: readonly string[]
  body: CachedBody
}

/** Bytes, or a text with a character for each byte: a text leaves in one piece with its headers, but each slow reader has a copy of it. */
type CachedBody = Uint8Array<ArrayBuffer> | string

/** A longer body is stored as bytes. */
const MAX_TEXT_BYTES = 16 * 1024

function toCachedBody(bytes: Uint8Array<ArrayBuffer>): CachedBody {
  return bytes.length > MAX_TEXT_BYTES ? bytes : Buffer.from(bytes.buffer).toString('latin1')
}

const MAX_CACHE_BYTES = 4 * 1024 * 1024
const MAX_RESPONSE_BYTES = MAX_CACHE_BYTES / 8
/** About what the memory holds of a response besides its texts. */
const ENTRY_BYTES = 1_000

/** Responses to reads. Those that depend on rows are all of one version of the database. */
export class ResponseCache {
  readonly #byKey = new Map<string, CachedResponse>()
  #version: object | null = null
  #bytes = 0
  /** What was found in this turn of the event loop. */
  #found: { version: object | null; loaded: object | null } | null = null

  constructor(private readonly db: Pick<Database, 'version' | 'loadedVersion'>) {}

  /**
   * The version of the database; null if it is not known. Looks at the files once in a turn of the event loop: a request that is handled
   * in this turn was sent before the turn began, so no caller can know of a later commit by another process.
   */
  currentVersion(): object | null {
    const loaded = this.db.loadedVersion?.() ?? null
    if (this.#found?.loaded !== loaded) {
      if (this.#found === null)
        setImmediate(() => {
          this.#found = null
        })
      this.#found = { version: this.db.version?.() ?? null, loaded }
    }
    return this.#found!.version
  }

  /** Whether the rows in memory are of this version. */
  isLoaded(version: object): boolean {
    return this.db.loadedVersion?.() === version
  }

  find(key: string): CachedResponse | null {
    const cached = this.#byKey.get(key)
    if (cached === undefined) return null
    if (cached.expiresAt !== null) return performance.now() < cached.expiresAt ? cached : null
    return this.#version !== null && this.#version === this.currentVersion() ? cached : null
  }

  /** Stores no response that is too large, and drops the oldest ones where there is no space left. */
  store(key: string, validity: Validity, response: Omit<CachedResponse, 'expiresAt'>): void {
    if ('version' in validity && validity.version !== this.#version) this.#clear(validity.version)
    const bytes = sizeOf(key, response)
    if (bytes > MAX_RESPONSE_BYTES) return
    this.#drop(key)
    for (const oldest of this.#byKey.keys()) {
      if (this.#bytes + bytes <= MAX_CACHE_BYTES) break
      this.#drop(oldest)
    }
    const expiresAt = 'forMs' in validity ? performance.now() + validity.forMs : null
    this.#byKey.set(key, { ...response, expiresAt })
    this.#bytes += bytes
  }

  #drop(key: string): void {
    const dropped = this.#byKey.get(key)
    if (dropped && this.#byKey.delete(key)) this.#bytes -= sizeOf(key, dropped)
  }

  #clear(version: object): void {
    this.#byKey.clear()
    this.#bytes = 0
    this.#version = version
  }
}

/** A key may take two bytes per character. */
function sizeOf(key: string, { body }: Pick<CachedResponse, 'body'>): number {
  return ENTRY_BYTES + 2 * key.length + body.length
}

/**
 * Answers a read from the cache; false where the cache has no response. A caller without credentials is answered so before Hono sees the
 * request: through Node's adapter and the middleware these reads, the most frequent ones, would take half as much processor time again.
 */
export function sendFromCache(
  cache: ResponseCache,
  { call, incoming, outgoing }: AppEnv['Bindings'],
  key = createKey(call, incoming),
): boolean {
  if (incoming.method !== 'GET') return false
  const cached = cache.find(key)
  if (cached === null) return false
  call.route = cached.route
  call.caller = cached.caller
  const isKnown = matchesEtag(incoming.headers['if-none-match'], cached.etag)
  const headers = isKnown ? cached.notModifiedHeaders : cached.headers
  outgoing.writeHead(isKnown ? 304 : 200, ['X-Request-Id', call.requestId, ...headers])
  if (isKnown) outgoing.end()
  else sendBody(outgoing, cached.body)
  return true
}

function sendBody(outgoing: ServerResponse, body: CachedBody): void {
  if (typeof body !== 'string') {
    outgoing.end(body)
    return
  }
  // `end(text)` would write the text and an empty one as a list, which takes Node twice as long as one text.
  outgoing.cork()
  outgoing.write(body, 'latin1')
  outgoing.uncork()
  outgoing.end()
}

/** Answers a caller with credentials from the cache, and stores a response that its route has marked as cacheable. */
export function cacheResponses(cache: ResponseCache): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const { call, incoming } = c.env
    const { user, dock } = call.credentials
    if ((user !== null || dock !== null) && sendFromCache(cache, c.env)) return Promise.resolve(RESPONSE_ALREADY_SENT)
    return next().then(async () => {
      const { validity, route, caller } = call
      if (validity === null || incoming.method !== 'GET' || c.res.status !== 200) return
      // A response without a length is sent in pieces.
      if (Number(c.res.headers.get('content-length') ?? Number.POSITIVE_INFINITY) > MAX_RESPONSE_BYTES) return
      const { 'x-request-id': _, ...common } = c.env.outgoing.getHeaders()
      const headers = { ...common, ...Object.fromEntries(c.res.headers) } as Record<string, string>
      const etag = headers['etag']
      cache.store(createKey(call, incoming), validity, {
        route,
        caller,
        etag,
        headers: Object.entries(headers).flat(),
        notModifiedHeaders: Object.entries({ ...common, ...notModifiedHeaders(etag ?? '') }).flat() as string[],
        body: toCachedBody(new Uint8Array(await c.res.clone().arrayBuffer())),
      })
    })
  }
}

/** All of a request that its response depends on beside the rows: the caller's rights, the encoding and the target. */
export function createKey(
  { trust, credentials }: Pick<Call, 'trust' | 'credentials'>,
  { headers, url }: Pick<IncomingMessage, 'headers' | 'url'>,
): string {
  const { user, dock } = credentials
  const caller = user === null && dock === null ? trust.verdict : JSON.stringify([trust.verdict, user, dock])
  return `${chooseEncoding(headers['accept-encoding'])} ${caller} ${url}`
}

/** Runs a read, and marks its response as cacheable if all that it read was of one version of the database. */
export async function runCacheable<R>(call: Call, cache: ResponseCache, read: () => Promise<R>): Promise<R> {
  const version = cache.currentVersion()
  const value = await read()
  if (version !== null && cache.isLoaded(version)) call.validity = { version }
  return value
}
