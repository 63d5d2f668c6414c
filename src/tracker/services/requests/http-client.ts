import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Dispatcher, request } from 'undici'
import { createDispatcher, type ProxySettings, selectProxy, type TokenSource } from '../../../credentials'
import { StudioError } from '../../../kernel'
import { isRecord, parseJsonWithoutNulls } from '../../../kernel/json'
import type { UploadContent } from '../../tracker-parts'
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
  const dispatcher = createDispatcher(settings.proxy, {
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

  async function readToken({ isAnonymous = false }: HttpRequest, signal: AbortSignal): Promise<string | null> {
    if (signal.aborted) throw createInterruptedError(signal, 'none')
    if (isAnonymous || tokenSource === null) return null
    return withTrackerErrors(tokenSource.read(signal), signal)
  }

  /** Sends the head and the body of a request, and returns the head of the response. */
  function begin(
    httpRequest: HttpRequest,
    token: string | null,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { method, isAnonymous = false, headers: own, upload } = httpRequest
    const { headers, body } = createBody(httpRequest)
    return request(buildUrl(settings, httpRequest), {
      dispatcher,
      method,
      headers: { ...(isAnonymous ? ANONYMOUS_HEADERS : createRequestHeaders(token)), ...headers, ...own },
      body,
      signal,
      // The stream of an upload cannot be read a second time.
      ...(upload && { reset: true }),
    })
  }

  function describeHead(response: Dispatcher.ResponseData) {
    const header = (name: string) => readHeader(response, name)
    return {
      status: response.statusCode,
      contentType: header('content-type') ?? '',
      location: header('location'),
      isForAnonymous: isForAnonymous?.(header) ?? false,
      retryAfterMs: parsePause(header, settings.now()),
      serverTimeMs: parseHttpDate(header('date')),
      header,
    }
  }

  async function complete(response: Dispatcher.ResponseData, token: string | null): Promise<HttpResponse> {
    const text = await readText(response, limits.maxResponseBytes)
    const head = describeHead(response)
    const isUsable = head.status < 300
    const whole = createResponse({ ...head, text: isUsable ? text : redactSecrets(text) })
    const shown = isUsable ? redactErrors(whole) : whole
    if (token !== null) tokenOf.set(shown, token)
    return shown
  }

  /** Sends a request once and returns any complete response. Throws a TrackerError if none arrived. */
  async function send(httpRequest: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const token = await readToken(httpRequest, signal)
    const deadline = new AbortController()
    // How long an upload takes depends on its size. It fails if it comes to a halt.
    const timer = httpRequest.upload
      ? undefined
      : setTimeout(() => deadline.abort(new ResponseTimeout()), limits.responseTimeoutMs)
    let hasResponseStarted = false
    try {
      const response = await begin(httpRequest, token, AbortSignal.any([signal, deadline.signal]))
      hasResponseStarted = true
      return await complete(response, token)
    } catch (error) {
      throw describeFailure(error, httpRequest, signal, hasResponseStarted)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Sends a request once. The body of a response with the status 200 or 206 is not read: the caller does, or destroys it. */
  async function open(httpRequest: HttpRequest, signal: AbortSignal): Promise<OpenedResponse> {
    const token = await readToken(httpRequest, signal)
    let hasResponseStarted = false
    try {
      const response = await begin(httpRequest, token, signal)
      hasResponseStarted = true
      if (response.statusCode !== 200 && response.statusCode !== 206)
        return { kind: 'complete', response: await complete(response, token) }
      const fail = (error: unknown) => describeFailure(error, httpRequest, signal, true)
      return { kind: 'stream', head: describeHead(response), body: response.body, fail }
    } catch (error) {
      throw describeFailure(error, httpRequest, signal, hasResponseStarted)
    }
  }

  function describeFailure(
    error: unknown,
    { base = address.base }: HttpRequest,
    signal: AbortSignal,
    hasResponseStarted: boolean,
  ): TrackerError {
    if (error instanceof TrackerError) return error
    if (signal.aborted) return createInterruptedError(signal, 'unknown')
    const { origin } = new URL(base)
    return createConnectionError(error, {
      address,
      addressSetting,
      otherOrigin: origin === new URL(address.base).origin ? null : origin,
      proxy: selectProxy(base, settings.proxy)?.host ?? null,
      hasResponseStarted,
    })
  }

  /** Gets another token in the place of the one that this response has rejected. False if there is no other. */
  async function renewToken(rejection: HttpResponse, signal: AbortSignal): Promise<boolean> {
    const rejected = tokenOf.get(rejection)
    return rejected !== undefined && (await withTrackerErrors(tokenSource!.renew(rejected, signal), signal)) !== null
  }

  async function close(): Promise<void> {
    await dispatcher.destroy()
  }

  return { address, send, open, renewToken, close }
}

/** Without a token, nothing was sent. */
async function withTrackerErrors<Value>(token: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return token.catch((error: unknown) => {
    if (signal.aborted) throw createInterruptedError(signal, 'none')
    if (!(error instanceof StudioError)) throw error
    throw new TrackerError(error.code, error.message, { hint: error.hint, cause: error })
  })
}

/** What is sent to another host than the tracker's. */
const ANONYMOUS_HEADERS = { accept: '*/*', 'user-agent': 'story-studio' }

function createBody({ body, contentType = 'application/json', upload }: HttpRequest) {
  if (upload) {
    const headers = { 'content-type': upload.contentType, 'content-length': String(upload.content.size) }
    return { headers, body: Readable.from(upload.content.open(), { objectMode: false }) }
  }
  return body === undefined
    ? { headers: {}, body: null }
    : { headers: { 'content-type': contentType }, body: JSON.stringify(body) }
}

class ResponseTimeout extends Error {
  readonly code = 'STUDIO_DEADLINE'
}

function buildUrl(settings: HttpClientSettings, httpRequest: HttpRequest): string {
  const { base = settings.address.base, path, query, isAnonymous } = httpRequest
  if (isAnonymous) return `${base}${path}`
  const pairs = Object.entries({ ...query, ...settings.query, ...query })
  return `${base}${path}${path.includes('?') ? '&' : '?'}${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
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
  /** Sent instead of `body`, in pieces. */
  upload?: { content: UploadContent; contentType: string }
  headers?: Readonly<Record<string, string>>
  /** Whether it goes to another host, and so without the credential and the usual headers. Its `path` then includes its query. */
  isAnonymous?: boolean
}

/** The answer to a request for content. */
export type OpenedResponse =
  | { kind: 'complete'; response: HttpResponse }
  | {
      kind: 'stream'
      head: ResponseHead
      body: Dispatcher.ResponseData['body']
      /** The error that a failure while reading the body means. */
      fail(error: unknown): TrackerError
    }

export type ResponseHead = Omit<HttpResponse, 'text' | 'json'>

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
  /** Any other header by its name in lower case. */
  header(name: string): string | null
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
