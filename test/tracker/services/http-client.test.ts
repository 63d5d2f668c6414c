import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ProxySettings } from '../../../src/credentials'
import { fixedToken, type TokenSource } from '../../../src/credentials/token-source'
import { StudioError } from '../../../src/kernel'
import { requestDefaults } from '../../../src/tracker/azure-devops/azure-devops-tracker'
import type { HttpRequest } from '../../../src/tracker/services/requests/http-client'
import { type HttpClient, openHttpClient } from '../../../src/tracker/services/requests/http-client'
import { defaultLimits, type RequestLimits } from '../../../src/tracker/services/requests/rate-limiter'
import { parseTrackerAddress } from '../../../src/tracker/services/tracker-address'
import { freePort } from '../../free-port'
import { errorOf, never } from '../azure-devops/fixtures'
import { type Behaviour, startStub } from '../azure-devops/stub-server'

const ask: HttpRequest = { method: 'GET', path: '/_apis/projects' }

function exchangeWith(
  url: string,
  limits: Partial<RequestLimits> = {},
  token: string | TokenSource | null = 'secret-token',
  proxy: ProxySettings | null = null,
): HttpClient {
  return openHttpClient({
    proxy,
    address: parseTrackerAddress(url),
    ...requestDefaults,
    tokenSource: typeof token === 'string' ? fixedToken(token) : token,
    limits: { ...defaultLimits, ...limits },
    now: () => Date.now(),
  })
}

async function exchangeTo(behaviour: Behaviour, limits: Partial<RequestLimits> = {}) {
  const stub = await startStub(() => behaviour)
  return { ...stub, http: exchangeWith(stub.url, limits) }
}

describe('a request', () => {
  it('sends the token as a password without a user name, and suppresses redirects to sign-in pages', async () => {
    const { http, requests } = await exchangeTo({ json: {} })
    await http.send(ask, never)
    expect(requests[0]!.headers).toMatchObject({
      authorization: `Basic ${Buffer.from(':secret-token').toString('base64')}`,
      'x-tfs-fedauthredirect': 'Suppress',
      'user-agent': 'story-studio',
      accept: 'application/json',
    })
  })

  it('is not sent if its caller leaves before there is a token, which is an error of the tracker', async () => {
    const { url, requests } = await exchangeTo({ json: {} })
    const leaving = new AbortController()
    const waiting: TokenSource = {
      read: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      renew: async () => null,
      advice: null,
    }
    const left = exchangeWith(url, {}, waiting).send(ask, leaving.signal)
    leaving.abort()
    expect(await errorOf(left)).toMatchObject({ code: 'interrupted', effect: 'none' })
    expect(requests).toEqual([])
  })

  it('sends no credentials without a token', async () => {
    const { url, requests } = await exchangeTo({ json: {} })
    await exchangeWith(url, {}, null).send(ask, never)
    expect(requests[0]!.headers).not.toHaveProperty('authorization')
  })

  it('contains the API version and encoded parameters', async () => {
    const { http, requests } = await exchangeTo({ json: {} })
    await http.send({ method: 'GET', path: '/Parts%20Shop/_apis/x', query: { $depth: 14, name: 'a&b' } }, never)
    expect(requests[0]!.rawUrl).toBe('/Parts%20Shop/_apis/x?$depth=14&name=a%26b&api-version=7.1')
  })

  it('sends a body as JSON with the given content type', async () => {
    const { http, requests } = await exchangeTo({ json: {} })
    await http.send({ method: 'POST', path: '/_apis/x', body: { ids: [1] } }, never)
    await http.send({ method: 'PATCH', path: '/_apis/x', body: [], contentType: 'application/json-patch+json' }, never)
    expect(requests.map((one) => one.headers['content-type'])).toEqual([
      'application/json',
      'application/json-patch+json',
    ])
    expect(requests.map((one) => one.body)).toEqual([{ ids: [1] }, []])
  })
})

describe('a response', () => {
  it('is returned with any status', async () => {
    const { http } = await exchangeTo({ status: 409, json: { message: 'no' }, headers: { 'retry-after': '2' } })
    expect(await http.send(ask, never)).toMatchObject({ status: 409, json: { message: 'no' }, retryAfterMs: 2000 })
  })

  it('is returned if it is a redirect', async () => {
    const { http, requests } = await exchangeTo({ status: 302, text: '', headers: { location: '/works/_signin' } })
    expect(await http.send(ask, never)).toMatchObject({ status: 302, location: '/works/_signin', json: undefined })
    expect(requests).toHaveLength(1)
  })

  it('is parsed as JSON only if its type is JSON', async () => {
    const { http } = await exchangeTo({ text: '{"count":0}' })
    expect(await http.send(ask, never)).toMatchObject({ contentType: 'text/html', json: undefined })
  })

  it('can be compressed', async () => {
    const { http, requests } = await exchangeTo({
      text: gzipSync('{"name":"Größe"}'),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    expect(await http.send(ask, never)).toMatchObject({ json: { name: 'Größe' } })
    expect(requests[0]!.headers['accept-encoding']).toBe('gzip')
  })

  it('is rejected if it exceeds the limit, before or after decompression', async () => {
    const large = JSON.stringify('x'.repeat(200_000))
    const plain = await exchangeTo({ json: 'x'.repeat(200_000) }, { maxResponseBytes: 100_000 })
    expect(await errorOf(plain.http.send(ask, never))).toMatchObject({ code: 'tracker_answer' })
    const packed = await exchangeTo(
      { text: gzipSync(large), headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
      { maxResponseBytes: 100_000 },
    )
    const error = await errorOf(packed.http.send(ask, never))
    expect(error).toMatchObject({ code: 'tracker_answer' })
    expect(error.message).toContain('larger than')
  })

  it('does not contain the token if it is an error', async () => {
    const credential = Buffer.from(':secret-token').toString('base64')
    const message = `The header Basic ${credential} (secret-token) is not accepted.`
    const { http } = await exchangeTo({ status: 400, json: { message } })
    const { json } = await http.send(ask, never)
    expect(json).toEqual({ message: 'The header Basic [token] ([token]) is not accepted.' })
  })
})

describe('the errors of GraphQL', () => {
  it('do not contain the token, though their status is 200; the data is as it was sent', async () => {
    const data = { title: 'Rotate secret-token' }
    const { http } = await exchangeTo({ json: { data, errors: [{ message: 'The token secret-token is too short.' }] } })
    expect((await http.send(ask, never)).json).toEqual({
      data,
      errors: [{ message: 'The token [token] is too short.' }],
    })
  })
})

describe('a missing response', () => {
  it('is reported for an unknown host: nothing was sent', async () => {
    const error = await errorOf(exchangeWith('https://tracker.invalid/works').send(ask, never))
    expect(error).toBeInstanceOf(StudioError)
    expect(error).toMatchObject({ code: 'tracker_unavailable', effect: 'none', isTransient: false })
    expect(error.message).toContain('tracker.invalid/works')
    expect(error.hint).toContain('https://tracker.invalid/works')
    expect(error.hint).toContain('STUDIO_TRACKER_URL')
  })

  it('is reported for a refused connection: nothing was sent', async () => {
    const error = await errorOf(exchangeWith(`http://127.0.0.1:${await freePort()}/works`).send(ask, never))
    expect(error).toMatchObject({ code: 'tracker_unavailable', effect: 'none', isTransient: false })
    expect(error.message).toContain('connection refused')
  })

  it('is reported for a reset connection: the request may have been received', async () => {
    const { http } = await exchangeTo('reset')
    const error = await errorOf(http.send(ask, never))
    expect(error).toMatchObject({ code: 'tracker_unavailable', effect: 'unknown', isTransient: true })
  })

  it('is reported for a response that is cut off', async () => {
    const { http } = await exchangeTo({ json: { value: 'x'.repeat(1000) }, cutAfter: 100 })
    const error = await errorOf(http.send(ask, never))
    expect(error).toMatchObject({ code: 'tracker_answer', effect: 'unknown', isTransient: true })
    expect(error.message).toContain('was cut off')
  })

  it('is reported for a tracker that does not respond', async () => {
    const { http } = await exchangeTo('silence', { headersTimeoutMs: 20 })
    const error = await errorOf(http.send(ask, never))
    expect(error).toMatchObject({ code: 'tracker_timeout', effect: 'unknown', isTransient: false })
    expect(error.message).toContain('did not respond in time')
  })

  it('is reported for a tracker that stops sending', async () => {
    const reply: Behaviour = { json: { value: 'x'.repeat(1000) }, stallAfter: 100 }
    const { http } = await exchangeTo(reply, { idleTimeoutMs: 20 })
    const error = await errorOf(http.send(ask, never))
    expect(error).toMatchObject({ code: 'tracker_timeout', effect: 'unknown' })
    expect(error.message).toContain('did not finish its response in time')
  })

  it('is reported for a response that takes too long', async () => {
    const reply: Behaviour = { json: { value: 'x'.repeat(1000) }, stallAfter: 100 }
    const { http } = await exchangeTo(reply, { responseTimeoutMs: 20 })
    expect(await errorOf(http.send(ask, never))).toMatchObject({ code: 'tracker_timeout', effect: 'unknown' })
  })

  it('is reported for a certificate that is not trusted, with a hint', async () => {
    const { url } = await exchangeTo({ json: {} })
    const error = await errorOf(exchangeWith(url.replace('http:', 'https:')).send(ask, never))
    expect(error).toMatchObject({ code: 'tracker_unavailable', effect: 'none' })
    expect(error.hint).toContain('NODE_EXTRA_CA_CERTS')
  })
})

describe('a caller that aborts', () => {
  it('causes no request before it is sent', async () => {
    const { http, requests } = await exchangeTo({ json: {} })
    const error = await errorOf(http.send(ask, AbortSignal.abort()))
    expect(error).toMatchObject({ code: 'interrupted', effect: 'none' })
    expect(requests).toHaveLength(0)
  })

  it('leaves the effect of a request unknown after it is sent', async () => {
    const caller = new AbortController()
    const stub = await startStub(() => {
      caller.abort()
      return 'silence'
    })
    const error = await errorOf(exchangeWith(stub.url).send(ask, caller.signal))
    expect(error).toMatchObject({ code: 'interrupted', effect: 'unknown' })
  })

  it('gets its own reason as the error', async () => {
    const reason = new StudioError('timeout', 'The request took longer than 30 s.')
    const { http } = await exchangeTo({ json: {} })
    const error = await errorOf(http.send(ask, AbortSignal.abort(reason)))
    expect(error).toMatchObject({ code: 'timeout', message: 'The request took longer than 30 s.' })
  })
})
