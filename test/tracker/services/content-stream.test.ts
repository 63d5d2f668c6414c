import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MemoryTarget, receiveContent } from '../../../src/items/services/attachments/receive-content'
import { requestDefaults } from '../../../src/tracker/azure-devops/azure-devops-tracker'
import { classifyResponse } from '../../../src/tracker/azure-devops/response-error'
import { followRedirect } from '../../../src/tracker/services/requests/content-stream'
import type { HttpRequest, OpenedResponse } from '../../../src/tracker/services/requests/http-client'
import { createMultipart } from '../../../src/tracker/services/requests/multipart'
import { openClient } from '../../../src/tracker/services/requests/open-client'
import { parseTrackerAddress } from '../../../src/tracker/services/tracker-address'
import type { ContentStream } from '../../../src/tracker/tracker'
import type { StreamPosition } from '../../../src/tracker/tracker-parts'
import { freePort } from '../../free-port'
import { createFakeTiming, errorOf, never, quick } from '../azure-devops/fixtures'
import { type Behaviour, type Reply, type StubRequest, startStub } from '../azure-devops/stub-server'

const BEGINNING = { from: 0, version: null }
const request = { path: '/files/1' }

async function openFrom(answer: (request: StubRequest) => Behaviour) {
  const stub = await startStub(answer)
  const client = openClient(
    { url: stub.url, project: null, token: 'secret-token', limits: quick, timing: createFakeTiming() },
    { address: parseTrackerAddress(stub.url), addressForm: '', ...requestDefaults, classifyResponse },
  )
  onTestFinished(() => client.close())
  return { ...stub, client }
}

async function readAll({ chunks }: Pick<ContentStream, 'chunks'>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts).toString()
}

/** A file on a server that knows ranges. */
function file(text: string, tag: string) {
  return ({ headers }: StubRequest): Reply => {
    const [, start] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
    if (start === undefined || headers['if-range'] !== tag) return { headers: { etag: tag }, text }
    const range = `bytes ${start}-${text.length - 1}/${text.length}`
    return { status: 206, headers: { etag: tag, 'content-range': range }, text: text.slice(Number(start)) }
  }
}

describe('content', () => {
  it('is read from its beginning, with its size and its version', async () => {
    const { client } = await openFrom(file('0123456789', '"a"'))
    const stream = await client.openContent(request, BEGINNING, never)
    expect(stream).toMatchObject({ from: 0, size: 10, version: '"a"' })
    expect(await readAll(stream)).toBe('0123456789')
  })

  it('continues where it was cut off', async () => {
    const { client } = await openFrom(file('0123456789', '"a"'))
    const stream = await client.openContent(request, { from: 4, version: '"a"' }, never)
    expect(stream).toMatchObject({ from: 4, size: 10, version: '"a"' })
    expect(await readAll(stream)).toBe('456789')
  })

  it('begins again if it has changed meanwhile', async () => {
    const { client } = await openFrom(file('abcdefghij', '"b"'))
    const stream = await client.openContent(request, { from: 4, version: '"a"' }, never)
    expect(stream.from).toBe(0)
    expect(await readAll(stream)).toBe('abcdefghij')
  })

  it('continues by the time of the last change only if its size is the same too', async () => {
    const changedAt = 'Fri, 27 Nov 2026 08:00:00 GMT'
    let text = '0123456789'
    const { client, requests } = await openFrom(({ headers }): Reply => {
      const head = { 'last-modified': changedAt }
      if (!headers.range) return { headers: head, text }
      const range = `bytes 4-${text.length - 1}/${text.length}`
      return { status: 206, headers: { ...head, 'content-range': range }, text: text.slice(4) }
    })
    const { version, chunks } = await client.openContent(request, BEGINNING, never)
    expect(await readAll({ chunks })).toBe(text)
    expect(await readAll(await client.openContent(request, { from: 4, version }, never))).toBe('456789')
    expect(requests.at(-1)!.headers['if-range']).toBe(changedAt)
    text = 'abcdefghijkl'
    const again = await client.openContent(request, { from: 4, version }, never)
    expect(again.from).toBe(0)
    expect(await readAll(again)).toBe(text)
  })

  it('begins again if a server continues another version', async () => {
    const { client } = await openFrom(
      ({ headers }): Reply =>
        headers.range
          ? { status: 206, headers: { etag: '"b"', 'content-range': 'bytes 4-9/10' }, text: 'efghij' }
          : { headers: { etag: '"b"' }, text: 'abcdefghij' },
    )
    const stream = await client.openContent(request, { from: 4, version: '"a"' }, never)
    expect(await readAll(stream)).toBe('abcdefghij')
  })

  it('comes from another host without the credential', async () => {
    const store = await startStub(() => ({ text: 'from the store' }))
    const { client, requests } = await openFrom(() => ({
      status: 302,
      headers: { location: `${store.url}/signed?key=1` },
      text: '',
    }))
    expect(await readAll(await client.openContent(request, BEGINNING, never))).toBe('from the store')
    expect(requests[0]!.headers.authorization).toBeDefined()
    expect(store.requests[0]!.headers.authorization).toBeUndefined()
    expect(store.requests[0]!.rawUrl).toBe('/signed?key=1')
  })

  it('names the other host if that cannot be reached', async () => {
    const port = await freePort()
    const { client } = await openFrom(() => ({
      status: 302,
      headers: { location: `http://127.0.0.1:${port}/signed?key=1` },
      text: '',
    }))
    const error = await errorOf(client.openContent(request, BEGINNING, never))
    expect(error.message).toMatch(
      new RegExp(`^The server 127\\.0\\.0\\.1:${port} of the tracker .* cannot be reached: connection refused\\.$`),
    )
    expect(error.hint).toContain(`The address of that server is http://127.0.0.1:${port}.`)
  })

  it('is not followed to where TLS would end', async () => {
    const opened: HttpRequest[] = []
    const open = async (one: HttpRequest): Promise<OpenedResponse> => {
      opened.push(one)
      const response = { status: 302, location: 'http://169.254.169.254/latest', text: '', contentType: '' }
      return {
        kind: 'complete',
        response: {
          ...response,
          isForAnonymous: false,
          retryAfterMs: null,
          serverTimeMs: null,
          header: () => null,
          json: null,
        },
      }
    }
    const address = parseTrackerAddress('https://tracker.example/works')
    const following = followRedirect({ method: 'GET', ...request }, BEGINNING, { address, open })
    expect(await errorOf(following)).toMatchObject({ code: 'tracker_answer', message: expect.stringContaining('TLS') })
    expect(opened).toHaveLength(1)
  })

  it('is an error of the token where the tracker asks to sign in', async () => {
    const { client } = await openFrom(() => ({
      status: 302,
      headers: { location: 'https://login.example/_signin' },
      text: '',
    }))
    expect(await errorOf(client.openContent(request, BEGINNING, never))).toMatchObject({ code: 'tracker_token' })
  })

  it('is not asked for again if the server answers with a part that was not asked for', async () => {
    const part = { status: 206, headers: { etag: '"a"', 'content-range': 'bytes 0-4/10' }, text: '01234' }
    const { client, requests } = await openFrom(() => part)
    expect(await errorOf(client.openContent(request, { from: 5, version: '"a"' }, never))).toMatchObject({
      code: 'tracker_answer',
    })
    expect(requests).toHaveLength(2)
  })

  it('gets no credential on the way back from another host', async () => {
    const opened: HttpRequest[] = []
    const locations = ['https://files.example/1', 'https://tracker.example/secret', null]
    const open = async (next: HttpRequest): Promise<OpenedResponse> => {
      const location = locations[opened.length]!
      opened.push(next)
      return {
        kind: 'complete',
        response: {
          status: location === null ? 404 : 302,
          contentType: '',
          location,
          text: '',
          isForAnonymous: false,
          retryAfterMs: null,
          serverTimeMs: null,
          header: () => null,
          json: null,
        },
      }
    }
    const address = parseTrackerAddress('https://tracker.example/works')
    await followRedirect({ method: 'GET', ...request }, BEGINNING, { address, open })
    expect(opened.map(({ isAnonymous = false }) => isAnonymous)).toEqual([false, true, true])
  })

  it('ends a circle of redirects', async () => {
    const { client, requests } = await openFrom(() => ({
      status: 302,
      headers: { location: '/works/files/1' },
      text: '',
    }))
    expect(await errorOf(client.openContent(request, BEGINNING, never))).toMatchObject({ code: 'tracker_answer' })
    expect(requests).toHaveLength(6)
  })

  it('is not found if the tracker does not have it', async () => {
    const { client } = await openFrom(() => ({ status: 404, text: 'nothing' }))
    expect(await errorOf(client.openContent(request, BEGINNING, never))).toMatchObject({ code: 'not_found' })
  })

  it('is requested again after an error that passes', async () => {
    let count = 0
    const { client } = await openFrom(() => (count++ === 0 ? { status: 503, text: 'busy' } : { text: 'here' }))
    expect(await readAll(await client.openContent(request, BEGINNING, never))).toBe('here')
  })

  it('ends with an error if it is cut off', async () => {
    const { client } = await openFrom(() => ({ text: 'x'.repeat(1000), cutAfter: 20 }))
    const stream = await client.openContent(request, BEGINNING, never)
    expect(await errorOf(readAll(stream))).toMatchObject({ code: 'tracker_unavailable', isTransient: true })
  })

  it('is received in one call, however often it is cut off', async () => {
    const text = '0123456789'
    const { client, requests } = await openFrom((given) => {
      const reply = file(text, '"a"')(given)
      return requests.length < 3 ? { ...reply, cutAfter: 3 } : reply
    })
    const target = new MemoryTarget()
    const reader = { open: (_: unknown, position: StreamPosition) => client.openContent(request, position, never) }
    const attachment = { id: '1', name: 'a', size: null, mediaType: null, author: null, createdAt: null, url: null }
    await receiveContent(reader as any, attachment, target, { name: 'a', maxBytes: 1000, signal: never })
    expect(target.bytes.toString()).toBe(text)
    expect(requests.length).toBeGreaterThan(1)
  })

  it('is left before its end by a reader that has enough of it', async () => {
    const { client } = await openFrom(() => ({ text: 'x'.repeat(10_000_000) }))
    const { chunks } = await client.openContent(request, BEGINNING, never)
    for await (const chunk of chunks) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
  })

  it('is unpacked piece by piece if the server packs it', async () => {
    const { client } = await openFrom(() => ({
      headers: { 'content-encoding': 'gzip', etag: '"a"' },
      text: gzipSync(Buffer.alloc(50_000_000)),
    }))
    const stream = await client.openContent(request, BEGINNING, never)
    expect(stream).toMatchObject({ size: null, version: null })
    for await (const chunk of stream.chunks) {
      expect(chunk.length).toBeLessThan(1_000_000)
      break
    }
  })
})

describe('an upload', () => {
  const content = (...parts: string[]) => ({
    size: Buffer.byteLength(parts.join('')),
    async *open() {
      for (const part of parts) yield Buffer.from(part)
    },
  })

  it('is sent in pieces, again if the tracker asks for a pause', async () => {
    let count = 0
    const { client, requests } = await openFrom(() =>
      count++ === 0 ? { status: 429, headers: { 'retry-after': '1' }, json: {} } : { json: { id: 1 } },
    )
    const upload = { content: content('one ', 'two'), contentType: 'application/octet-stream' }
    const { response } = await client.write({ method: 'POST', path: '/files', upload }, never)
    expect(response.json).toEqual({ id: 1 })
    expect(requests.map(({ body }) => body)).toEqual(['one two', 'one two'])
  })

  it('is a form that other programs read', async () => {
    const form = createMultipart(
      { note: 'A note' },
      { field: 'file', name: 'a "b"\n.txt', mediaType: 'text/plain', content: content('one ', 'two') },
    )
    const parts: Uint8Array[] = []
    for await (const part of form.content.open()) parts.push(part)
    const body = Buffer.concat(parts)
    expect(body.length).toBe(form.content.size)
    const parsed = await new Response(body, { headers: { 'content-type': form.contentType } }).formData()
    expect(parsed.get('note')).toBe('A note')
    expect(await (parsed.get('file') as File).text()).toBe('one two')
  })
})
