import type { IncomingMessage } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { MiddlewareHandler } from 'hono'
import type { Database } from '../storage'
import type { AppEnv } from './app-env'
import type { Call } from './call'
import { chooseEncoding, matchesEtag, notModifiedHeaders } from './response-body'

interface CachedResponse {
  /** The matched pattern and the caller's name: for the log. */
  route: string | null
  caller: string | null
  etag: string | undefined
  /** Names and values in turn, without the request's id: of the whole response, and of a 304 in its place. */
  headers: readonly string[]
  notModifiedHeaders: readonly string[]
  body: string | Uint8Array<ArrayBuffer>
}

const MAX_CACHE_BYTES = 4 * 1024 * 1024
const MAX_RESPONSE_BYTES = MAX_CACHE_BYTES / 8
/** About what the memory holds of a response besides its texts. */
const ENTRY_BYTES = 1_000

/** Responses to reads, for as long as no row of the database changes. All are of one version of the database. */
export class ResponseCache {
  readonly #byKey = new Map<string, CachedResponse>()
  #version: object | null = null
  #bytes = 0

  has(key: string): boolean {
    return this.#byKey.has(key)
  }

  find(version: object | null, key: string): CachedResponse | null {
    return version !== null && version === this.#version ? (this.#byKey.get(key) ?? null) : null
  }

  /** Stores no response that is too large, and drops the oldest ones where there is no space left. */
  store(version: object, key: string, response: CachedResponse): void {
    if (version !== this.#version) this.#clear(version)
    const bytes = sizeOf(key, response)
    if (bytes > MAX_RESPONSE_BYTES || this.#byKey.has(key)) return
    for (const [oldest, dropped] of this.#byKey) {
      if (this.#bytes + bytes <= MAX_CACHE_BYTES) break
      this.#byKey.delete(oldest)
      this.#bytes -= sizeOf(oldest, dropped)
    }
    this.#byKey.set(key, response)
    this.#bytes += bytes
  }

  #clear(version: object): void {
    this.#byKey.clear()
    this.#bytes = 0
    this.#version = version
  }
}

/** A text may take two bytes per character. */
function sizeOf(key: string, { body }: CachedResponse): number {
  return ENTRY_BYTES + 2 * key.length + (typeof body === 'string' ? 2 * body.length : body.length)
}

/**
 * Answers a read from the cache; false where the cache has no response. A caller without credentials is answered so before Hono sees the
 * request: through Node's adapter and the middleware these reads, the most frequent ones, would take half as much processor time again.
 */
export function sendFromCache(
  cache: ResponseCache,
  db: Database,
  { call, incoming, outgoing }: AppEnv['Bindings'],
): boolean {
  if (incoming.method !== 'GET') return false
  const key = createKey(call, incoming)
  if (!cache.has(key)) return false
  call.checkedVersion = db.version?.() ?? null
  const cached = cache.find(call.checkedVersion, key)
  if (cached === null) return false
  call.route = cached.route
  call.caller = cached.caller
  const isKnown = matchesEtag(incoming.headers['if-none-match'], cached.etag)
  const headers = isKnown ? cached.notModifiedHeaders : cached.headers
  outgoing.writeHead(isKnown ? 304 : 200, ['X-Request-Id', call.requestId, ...headers])
  outgoing.end(isKnown ? undefined : cached.body)
  return true
}

/** Answers a caller with credentials from the cache, and stores a response that its route has marked as cacheable. */
export function cacheResponses(cache: ResponseCache, db: Database): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const { call, incoming } = c.env
    const { user, key } = call.credentials
    if ((user !== null || key !== null) && sendFromCache(cache, db, c.env))
      return Promise.resolve(RESPONSE_ALREADY_SENT)
    return next().then(async () => {
      const { cacheableVersion: version, route, caller } = call
      if (version === null || incoming.method !== 'GET' || c.res.status !== 200) return
      const { 'x-request-id': _, ...common } = c.env.outgoing.getHeaders()
      const headers = { ...common, ...Object.fromEntries(c.res.headers) } as Record<string, string>
      const etag = headers['etag']
      cache.store(version, createKey(call, incoming), {
        route,
        caller,
        etag,
        headers: Object.entries(headers).flat(),
        notModifiedHeaders: Object.entries({ ...common, ...notModifiedHeaders(etag ?? '') }).flat() as string[],
        body: await readBody(c.res.clone()),
      })
    })
  }
}

/** Below this size a text that is sent together with its headers costs less than two writes. */
const LONG_TEXT_BYTES = 16_384

/** A long text as bytes, because each slow reader of a text would have a copy of it. */
async function readBody(response: Response): Promise<string | Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const isText = !response.headers.has('content-encoding')
  return isText && bytes.length < LONG_TEXT_BYTES ? Buffer.from(bytes).toString() : bytes
}

/** All of a request that its response depends on beside the rows: the caller's rights, the encoding and the target. */
export function createKey(
  { trust, credentials }: Pick<Call, 'trust' | 'credentials'>,
  { headers, url }: Pick<IncomingMessage, 'headers' | 'url'>,
): string {
  const { user, key } = credentials
  const caller = user === null && key === null ? trust.verdict : JSON.stringify([trust.verdict, user, key])
  return `${chooseEncoding(headers['accept-encoding'])} ${caller} ${url}`
}

/** Runs a read, and marks its response as cacheable if all that it read was of one version of the database. */
export async function runCacheable<R>(call: Call, db: Database, read: () => Promise<R>): Promise<R> {
  const before = call.checkedVersion === undefined ? (db.version?.() ?? null) : call.checkedVersion
  const value = await read()
  if (before !== null && db.loadedVersion?.() === before) call.cacheableVersion = before
  return value
}
