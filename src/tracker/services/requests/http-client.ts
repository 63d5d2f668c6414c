import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Dispatcher, request } from 'undici'
import { createDispatcher, type ProxySettings, selectProxy, type TokenSource } from '../../../credentials'
import { StudioError } from '../../../kernel'
import { isRecord, parseJsonWithoutNulls } from '../../../kernel/json'
import { DEFAULT_SETTING_NAMES } from '../setting-names'
import type { TrackerAddress } from '../tracker-address'
import type { RequestLimits } from './rate-limiter'
import { parseRetryAfter } from './rate-limiter'
import { createConnectionError, createInterruptedError, ResponseTooLargeError, TrackerError } from './tracker-error'

export type HttpClient = ReturnType<typeof openHttpClient>

export interface HttpClientSettings {
  address: TrackerAddress
  /** The name of the setting with the address, for messages. */
  addressSetting?: string
  /** Sent with every request. */
  headers: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  /** Null for a tracker without a token. */
  tokenSource: TokenSource | null
  /** The value of the header `Authorization`. */
  authorize(token: string): string
  proxy: ProxySettings | null
  limits: RequestLimits
  now(): number
  /** How long the response asks clients to pause, in milliseconds; null if it does not. Default: `Retry-After`. */
  parsePause?(header: (name: string) => string | null, now: number): number | null
  /** Whether the response says that it is for an anonymous caller, because the credential was not accepted. Default: it never says so. */
  isForAnonymous?(header: (name: string) => string | null): boolean
}

/** Every byte to and from the tracker passes through this client. */
export function openHttpClient(settings: HttpClientSettings) {
  const { address, limits, tokenSource, parsePause = parseRetryAfterHeader, isForAnonymous } = settings
  const { addressSetting = DEFAULT_SETTING_NAMES.url } = settings
  const proxyHost = selectProxy(address.base, settings.proxy)
  const dispatcher = createDispatcher(proxyHost === null ? null : settings.proxy, {
    connect: { timeout: limits.connectTimeoutMs },
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.idleTimeoutMs,
    connections: limits.maxConcurrent * 4,
  })

  /** Removed from error responses and from the errors of GraphQL, because these are shown to users. */
  const secrets = new Set<string>()
  const tokenOf = new WeakMap<HttpResponse, string>()

  function redactSecrets(text: string): string {
    return [...secrets].reduce((cleaned, secret) => cleaned.replaceAll(secret, '[token]'), text)
  }

  function createRequestHeaders(token: string | null): Readonly<Record<string, string>> {
    if (token === null) return settings.headers
    const authorization = settings.authorize(token)
    for (const secret of [token, authorization.replace(/^\S+ /, '')]) secrets.add(secret)
    return { ...settings.headers, authorization }
  }

  /** Data may contain the token, for example as a word. The errors of GraphQL come under a status of success. */
  function redactErrors(response: HttpResponse): HttpResponse {
    const { json } = response
    if (!isRecord(json) || !Array.isArray(json['errors'])) return response
    return { ...response, json: { ...json, errors: JSON.parse(redactSecrets(JSON.stringify(json['errors']))) } }
  }

  /** Sends a request once and returns any complete response. Throws a TrackerError if none arrived. */
  async function send(httpRequest: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    if (signal.aborted) throw createInterruptedError(signal, 'none')
    const token = tokenSource === null ? null : await withTrackerErrors(tokenSource.read(signal), signal)
    const headers = createRequestHeaders(token)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new ResponseTimeout()), limits.responseTimeoutMs)
    const { method, body, contentType = 'application/json' } = httpRequest
    let hasResponseStarted = false
    try {
      const response = await request(buildUrl(settings, httpRequest), {
        dispatcher,
        method,
        headers: body === undefined ? headers : { ...headers, 'content-type': contentType },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([signal, deadline.signal]),
      })
      hasResponseStarted = true
      const { statusCode: status } = response
      const text = await readText(response, limits.maxResponseBytes)
      const header = (name: string) => readHeader(response, name)
      const complete = createResponse({
        status,
        contentType: header('content-type') ?? '',
        location: header('location'),
        isForAnonymous: isForAnonymous?.(header) ?? false,
        retryAfterMs: parsePause(header, settings.now()),
        serverTimeMs: parseHttpDate(header('date')),
        text: status < 300 ? text : redactSecrets(text),
      })
      const shown = status < 300 ? redactErrors(complete) : complete
      if (token !== null) tokenOf.set(shown, token)
      return shown
    } catch (error) {
      if (error instanceof TrackerError) throw error
      if (signal.aborted) throw createInterruptedError(signal, 'unknown')
      throw createConnectionError(error, { address, addressSetting, proxy: proxyHost, hasResponseStarted })
    } finally {
      clearTimeout(timer)
    }
  }

  /** Gets another token in the place of the one that this response has rejected. False if there is no other. */
  async function renewToken(rejection: HttpResponse, signal: AbortSignal): Promise<boolean> {
    const rejected = tokenOf.get(rejection)
    return rejected !== undefined && (await withTrackerErrors(tokenSource!.renew(rejected, signal), signal)) !== null
  }

  return { send, renewToken, close: () => dispatcher.destroy() }
}

/** Without a token, nothing was sent. */
async function withTrackerErrors<Value>(token: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return token.catch((error: unknown) => {
    if (signal.aborted) throw createInterruptedError(signal, 'none')
    if (!(error instanceof StudioError)) throw error
    throw new TrackerError(error.code, error.message, { hint: error.hint, cause: error })
  })
}

class ResponseTimeout extends Error {
  readonly code = 'STUDIO_DEADLINE'
}

function buildUrl(settings: HttpClientSettings, { base = settings.address.base, path, query }: HttpRequest): string {
  const pairs = Object.entries({ ...query, ...settings.query, ...query })
  return `${base}${path}?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}

function parseRetryAfterHeader(header: (name: string) => string | null, now: number): number | null {
  return parseRetryAfter(header('retry-after'), now)
}

function readHeader(response: Dispatcher.ResponseData, name: string): string | null {
  const value = response.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

function parseHttpDate(date: string | null): number | null {
  const at = date === null ? Number.NaN : Date.parse(date)
  return Number.isNaN(at) ? null : at
}

const unzip = promisify(gunzip)

/** Reads the whole body, and fails if it exceeds `limitBytes` before or after decompression. */
async function readText(response: Dispatcher.ResponseData, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > limitBytes) throw new ResponseTooLargeError(limitBytes)
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (!/gzip/i.test(readHeader(response, 'content-encoding') ?? '')) return bytes.toString('utf8')
  return (
    await unzip(bytes, { maxOutputLength: limitBytes }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ERR_BUFFER_TOO_LARGE' ? new ResponseTooLargeError(limitBytes) : error
    })
  ).toString('utf8')
}

/** A request to the tracker, without what all requests have in common. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Another host of the same tracker, with the organization. Default: the configured address. */
  base?: string
  /** Below the base, with encoded parts: `/project/_apis/wit/wiql`. */
  path: string
  query?: Record<string, string | number>
  /** Sent as JSON. */
  body?: unknown
  /** Default: `application/json`. */
  contentType?: string
}

/** The response to one request, whatever its status. */
export interface HttpResponse {
  status: number
  /** Empty if the response has none. */
  contentType: string
  location: string | null
  /** Whether the tracker did not accept the credential, and answered as to anybody. */
  isForAnonymous: boolean
  retryAfterMs: number | null
  /** The `Date` header in milliseconds since 1970, if there is one. */
  serverTimeMs: number | null
  /** The body as text, for recognizing a page that is not JSON. */
  text: string
  /** The parsed body; undefined if it is not valid JSON or not declared as JSON. */
  json: unknown
}

export function createResponse(parts: Omit<HttpResponse, 'json'>): HttpResponse {
  return { ...parts, json: /\bjson\b/i.test(parts.contentType) ? parseBody(parts.text) : undefined }
}

function parseBody(text: string): unknown {
  try {
    return parseJsonWithoutNulls(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
