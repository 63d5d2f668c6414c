import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { StudioError } from '../../../src/kernel'
import { createRequestDefaults } from '../../../src/tracker/azure-devops/azure-devops-tracker'
import type { HttpRequest, ProxySettings } from '../../../src/tracker/services/http-client'
import { type HttpClient, openHttpClient } from '../../../src/tracker/services/http-client'
import { defaultLimits, type RequestLimits } from '../../../src/tracker/services/rate-limiter'
import { parseTrackerAddress } from '../../../src/tracker/services/tracker-address'
import { failureOf, never } from '../azure-devops/fixtures'
import { type Behaviour, startStub } from '../azure-devops/stub-server'

const ask: HttpRequest = { method: 'GET', path: '/_apis/projects' }

function exchangeWith(
  url: string,
  limits: Partial<RequestLimits> = {},
  token: string | null = 'secret-token',
  proxy: ProxySettings | null = null,
): HttpClient {
  return openHttpClient({
    proxy,
    address: parseTrackerAddress(url),
    ...createRequestDefaults(token, 'story-studio/1.0.0'),
    limits: { ...defaultLimits, ...limits },
    now: () => Date.now(),
  })
}

async function exchangeTo(behaviour: Behaviour, limits: Partial<RequestLimits> = {}) {
  const stub = await startStub(() => behaviour)
  return { ...stub, http: exchangeWith(stub.url, limits) }
}

describe('a request', () => {
  it('carries the token as the password of nobody, and asks not to be sent to a sign-in page', async () => {
    const { http, asked } = await exchangeTo({ json: {} })
    await http.send(ask, never)
    expect(asked[0]!.headers).toMatchObject({
      authorization: `Basic ${Buffer.from(':secret-token').toString('base64')}`,
      'x-tfs-fedauthredirect': 'Suppress',
      'user-agent': 'story-studio/1.0.0',
      accept: 'application/json',
    })
  })

  it('carries no credential where no token is set', async () => {
    const { url, asked } = await exchangeTo({ json: {} })
    await exchangeWith(url, {}, null).send(ask, never)
    expect(asked[0]!.headers).not.toHaveProperty('authorization')
  })

  it('names the version, and encodes what it asks for', async () => {
    const { http, asked } = await exchangeTo({ json: {} })
    await http.send({ method: 'GET', path: '/Parts%20Shop/_apis/x', query: { $depth: 14, name: 'a&b' } }, never)
    expect(asked[0]!.rawUrl).toBe('/Parts%20Shop/_apis/x?$depth=14&name=a%26b&api-version=7.1')
  })

  it('sends a body as JSON of the type that is wanted', async () => {
    const { http, asked } = await exchangeTo({ json: {} })
    await http.send({ method: 'POST', path: '/_apis/x', body: { ids: [1] } }, never)
    await http.send({ method: 'PATCH', path: '/_apis/x', body: [], contentType: 'application/json-patch+json' }, never)
    expect(asked.map((one) => one.headers['content-type'])).toEqual(['application/json', 'application/json-patch+json'])
    expect(asked.map((one) => one.body)).toEqual([{ ids: [1] }, []])
  })
})

describe('an answer', () => {
  it('is given whatever its status', async () => {
    const { http } = await exchangeTo({ status: 409, json: { message: 'no' }, headers: { 'retry-after': '2' } })
    expect(await http.send(ask, never)).toMatchObject({ status: 409, json: { message: 'no' }, retryAfterMs: 2000 })
  })

  it('is not followed elsewhere', async () => {
    const { http, asked } = await exchangeTo({ status: 302, text: '', headers: { location: '/works/_signin' } })
    expect(await http.send(ask, never)).toMatchObject({ status: 302, location: '/works/_signin', json: undefined })
    expect(asked).toHaveLength(1)
  })

  it('is JSON only where it says so', async () => {
    const { http } = await exchangeTo({ text: '{"count":0}' })
    expect(await http.send(ask, never)).toMatchObject({ contentType: 'text/html', json: undefined })
  })

  it('may be packed', async () => {
    const { http, asked } = await exchangeTo({
      text: gzipSync('{"name":"Größe"}'),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    expect(await http.send(ask, never)).toMatchObject({ json: { name: 'Größe' } })
    expect(asked[0]!.headers['accept-encoding']).toBe('gzip')
  })

  it('is refused once it passes the limit, packed or unpacked', async () => {
    const large = JSON.stringify('x'.repeat(200_000))
    const plain = await exchangeTo({ json: 'x'.repeat(200_000) }, { maxResponseBytes: 100_000 })
    expect(await failureOf(plain.http.send(ask, never))).toMatchObject({ code: 'tracker_answer' })
    const packed = await exchangeTo(
      { text: gzipSync(large), headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
      { maxResponseBytes: 100_000 },
    )
    const fault = await failureOf(packed.http.send(ask, never))
    expect(fault).toMatchObject({ code: 'tracker_answer' })
    expect(fault.message).toContain('larger than')
  })

  it('does not repeat the token in a refusal, however the tracker quotes it', async () => {
    const credential = Buffer.from(':secret-token').toString('base64')
    const message = `The header Basic ${credential} (secret-token) is not accepted.`
    const { http } = await exchangeTo({ status: 400, json: { message } })
    const { json } = await http.send(ask, never)
    expect(json).toEqual({ message: 'The header Basic [token] ([token]) is not accepted.' })
  })
})

describe('no answer', () => {
  it('comes from a name that nobody knows: nothing was sent', async () => {
    const fault = await failureOf(exchangeWith('https://tracker.invalid/works').send(ask, never))
    expect(fault).toBeInstanceOf(StudioError)
    expect(fault).toMatchObject({ code: 'tracker_unavailable', effect: 'none', isTransient: false })
    expect(fault.message).toContain('tracker.invalid/works')
    expect(fault.hint).toContain('https://tracker.invalid/works')
    expect(fault.hint).toContain('STUDIO_TRACKER_URL')
  })

  it('comes from a port that takes no connection: nothing was sent', async () => {
    const fault = await failureOf(exchangeWith(`http://127.0.0.1:${await closedPort()}/works`).send(ask, never))
    expect(fault).toMatchObject({ code: 'tracker_unavailable', effect: 'none', isTransient: false })
    expect(fault.message).toContain('connection refused')
  })

  it('comes from a connection that is reset: the request may have been received', async () => {
    const { http } = await exchangeTo('reset')
    const fault = await failureOf(http.send(ask, never))
    expect(fault).toMatchObject({ code: 'tracker_unavailable', effect: 'unknown', isTransient: true })
  })

  it('comes from an answer that is cut in its middle', async () => {
    const { http } = await exchangeTo({ json: { value: 'x'.repeat(1000) }, cutAfter: 100 })
    const fault = await failureOf(http.send(ask, never))
    expect(fault).toMatchObject({ code: 'tracker_answer', effect: 'unknown', isTransient: true })
    expect(fault.message).toContain('was cut off')
  })

  it('comes from a tracker that is silent', async () => {
    const { http } = await exchangeTo('silence', { headersTimeoutMs: 20 })
    const fault = await failureOf(http.send(ask, never))
    expect(fault).toMatchObject({ code: 'tracker_timeout', effect: 'unknown', isTransient: false })
    expect(fault.message).toContain('did not respond in time')
  })

  it('comes from a tracker that falls silent', async () => {
    const reply: Behaviour = { json: { value: 'x'.repeat(1000) }, stallAfter: 100 }
    const { http } = await exchangeTo(reply, { idleTimeoutMs: 20 })
    const fault = await failureOf(http.send(ask, never))
    expect(fault).toMatchObject({ code: 'tracker_timeout', effect: 'unknown' })
    expect(fault.message).toContain('did not finish its response in time')
  })

  it('comes from one that takes too long in all', async () => {
    const reply: Behaviour = { json: { value: 'x'.repeat(1000) }, stallAfter: 100 }
    const { http } = await exchangeTo(reply, { responseTimeoutMs: 20 })
    expect(await failureOf(http.send(ask, never))).toMatchObject({ code: 'tracker_timeout', effect: 'unknown' })
  })

  it('comes from a certificate that is not trusted, and then the hint is another', async () => {
    const { url } = await exchangeTo({ json: {} })
    const fault = await failureOf(exchangeWith(url.replace('http:', 'https:')).send(ask, never))
    expect(fault).toMatchObject({ code: 'tracker_unavailable', effect: 'none' })
    expect(fault.hint).toContain('NODE_EXTRA_CA_CERTS')
  })
})

describe('a caller that leaves', () => {
  it('before it was sent: nothing is sent', async () => {
    const { http, asked } = await exchangeTo({ json: {} })
    const fault = await failureOf(http.send(ask, AbortSignal.abort()))
    expect(fault).toMatchObject({ code: 'interrupted', effect: 'none' })
    expect(asked).toHaveLength(0)
  })

  it('while it is on its way: it may have been received', async () => {
    const caller = new AbortController()
    const stub = await startStub(() => {
      caller.abort()
      return 'silence'
    })
    const fault = await failureOf(exchangeWith(stub.url).send(ask, caller.signal))
    expect(fault).toMatchObject({ code: 'interrupted', effect: 'unknown' })
  })

  it('with a reason of its own: that is what is thrown', async () => {
    const reason = new StudioError('timeout', 'The request took longer than 30 s.')
    const { http } = await exchangeTo({ json: {} })
    const fault = await failureOf(http.send(ask, AbortSignal.abort(reason)))
    expect(fault).toMatchObject({ code: 'timeout', message: 'The request took longer than 30 s.' })
  })
})

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
