import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici'
import type { Address } from './address'
import { type Answer, type Ask, answerOf } from './answer'
import { AnswerTooLarge, interruptedFault, TrackerFault } from './fault'
import { faultOfSilence } from './fault-of-silence'
import type { Limits } from './limits'
import { parseRetryAfter } from './pace'
import { type Proxies, proxyTo } from './proxy'

const API_VERSION = '7.1'

export interface Exchange {
  /** Sends once. Throws a TrackerFault where no whole answer came; any answer that came is returned. */
  send(ask: Ask, signal: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

export interface ExchangeSettings {
  address: Address
  token: string | null
  proxy: Proxies | null
  userAgent: string
  limits: Limits
  now(): number
}

/** The one request function: every byte to and from the tracker passes here. */
export function openExchange(settings: ExchangeSettings): Exchange {
  const { address, limits } = settings
  const through = proxyTo(address, settings.proxy)
  const dispatcher = dispatcherFor(limits, through === null ? null : settings.proxy)
  const common = commonHeaders(settings)
  const secrets = settings.token === null ? [] : [settings.token, encoded(settings.token)]

  /** A refusal is quoted to people, so it must not repeat the credential, whoever it comes from. */
  function withoutToken(text: string, status: number): string {
    return status < 300 ? text : secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '[token]'), text)
  }

  async function send(ask: Ask, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) throw interruptedFault(signal, 'none')
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new Deadline()), limits.answerMs)
    let answering = false
    try {
      const response = await request(urlOf(address, ask), {
        dispatcher,
        method: ask.method,
        headers: ask.body === undefined ? common : { ...common, 'content-type': ask.contentType ?? 'application/json' },
        body: ask.body === undefined ? null : JSON.stringify(ask.body),
        signal: AbortSignal.any([signal, deadline.signal]),
      })
      answering = true
      return answerOf({
        status: response.statusCode,
        contentType: headerOf(response, 'content-type') ?? '',
        location: headerOf(response, 'location'),
        retryAfterMs: parseRetryAfter(headerOf(response, 'retry-after'), settings.now()),
        saidAt: instantOf(headerOf(response, 'date')),
        text: withoutToken(await readText(response, limits.answerBytes), response.statusCode),
      })
    } catch (error) {
      if (error instanceof TrackerFault) throw error
      if (signal.aborted) throw interruptedFault(signal, 'unknown')
      throw faultOfSilence(error, { address, through, answering })
    } finally {
      clearTimeout(timer)
    }
  }

  return { send, close: () => dispatcher.destroy() }
}

function dispatcherFor(limits: Limits, proxy: Proxies | null): Dispatcher {
  const options = {
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.silenceMs,
    connections: limits.inFlight * 4,
  }
  if (proxy === null) return new Agent(options)
  // Empty is none; left out, it would be looked up in the environment.
  const { http, https, except } = proxy
  return new EnvHttpProxyAgent({ ...options, httpProxy: http ?? '', httpsProxy: https ?? '', noProxy: except })
}

class Deadline extends Error {
  readonly code = 'STUDIO_DEADLINE'
}

/** The suppressed header keeps the tracker from answering with a sign-in page instead of a status. */
function commonHeaders({ token, userAgent }: ExchangeSettings): Record<string, string> {
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': userAgent,
    'x-tfs-fedauthredirect': 'Suppress',
  }
  if (token === null) return headers
  return { ...headers, authorization: `Basic ${encoded(token)}` }
}

function encoded(token: string): string {
  return Buffer.from(`:${token}`).toString('base64')
}

function urlOf(address: Address, ask: Ask): string {
  const query = Object.entries({ ...ask.query, 'api-version': API_VERSION })
  const pairs = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${ask.base ?? address.base}${ask.path}?${pairs.join('&')}`
}

function headerOf(response: Dispatcher.ResponseData, name: string): string | null {
  const value = response.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

function instantOf(date: string | null): number | null {
  const at = date === null ? Number.NaN : Date.parse(date)
  return Number.isNaN(at) ? null : at
}

const unzip = promisify(gunzip)

/** The whole body, never more than `limitBytes` of it, packed or unpacked. */
async function readText(response: Dispatcher.ResponseData, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > limitBytes) throw new AnswerTooLarge(limitBytes)
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (!/gzip/i.test(headerOf(response, 'content-encoding') ?? '')) return bytes.toString('utf8')
  return (
    await unzip(bytes, { maxOutputLength: limitBytes }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ERR_BUFFER_TOO_LARGE' ? new AnswerTooLarge(limitBytes) : error
    })
  ).toString('utf8')
}
